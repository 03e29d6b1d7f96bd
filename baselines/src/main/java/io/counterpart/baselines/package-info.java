/**
 * The baselines of the ECHash paper, on the memory tier's own code: requests, journals, folding and
 * the restoration of servers are the product's, so that a comparison shows the schemes alone. Each
 * is a {@link io.counterpart.cache.coded.CodedScheme}; the lab opens shards with them.
 *
 * <p><b>ccmemcached</b> [§5.1]: one ring of all servers, n to 64. A chunk belongs to a server. Each
 * server has a number, 0 to 63, and the layout of a stripe has the numbers of the k servers that
 * hold its data. Parity chunk i is on the first server clockwise from the hash of its key that
 * holds neither data of the stripe nor an earlier parity chunk. A new stripe takes the server that
 * needs slots and the k − 1 servers with the fewest free ones. The number of a removed server may
 * go to an added one, which then gets the free slots of old stripes.
 *
 * <p>When servers change, an object whose server changes leaves its stripe. All servers change at
 * once, because an object is whole in one stripe or the other at any time:
 *
 * <ol>
 *   <li><i>Move</i>, stripe by stripe, 64 at a time within 16 MiB: each record is verified and
 *       copied to its new server; a record that no server has is decoded. An open stripe with such
 *       objects is sealed first. Parity items whose server changes move too. Where one goes to a
 *       server that another is about to leave, they move one after the other.
 *   <li><i>New stripes</i>, in batches of 512 KiB of slots of one class: changes of these objects
 *       wait, reads do not. Stripes are opened for the k servers with the most objects of the
 *       batch, filled, encoded and sealed. No journal is written.
 *   <li><i>Leaving</i>, for each old stripe: its journal entries are folded, the slots of the
 *       objects that move are freed, and the sum of their deltas is added to parity, which is read
 *       and written once. Then the copies on old servers are deleted.
 * </ol>
 *
 * <p>So a moved object costs one read and one write of its record, and its share of new parity; an
 * old stripe costs n − k parity items read and written. The paper's baseline does as much. Two
 * improvements are ours: parity is updated once for all objects of a stripe and batch, and objects
 * are decodable at any time. (The paper's baseline has to ask a database when two objects of a
 * column have moved.) A client's write of an object that has yet to move puts the object into a
 * stripe of its new server, as a write of another slot class does.
 *
 * <p><b>paper</b> [§2.4, §4.3], a migration of either scheme: an object is deleted on its old
 * server, then written to the new one. Clients' reads ask only the new server, and decode until it
 * has the object. A degraded read does not ask the old server for the object itself, but it finds
 * siblings wherever they are. Writes do ask the old server. Parity items are copied first. At most
 * n − k objects of a column move at once, so that the others suffice to decode them.
 *
 * <p><b>Repair</b> [§4.5] of a server's lost objects: <i>chunk</i> reads the k − 1 other data
 * chunks of the stripe whole, and parity once; the whole chunk is decoded, even if only one of its
 * objects was on the server. <i>chunk_each</i> does so for each lost object anew. <i>fragment</i>
 * reads for each lost object the other objects of its column, and parity: object by object. The
 * product's repair does that for all lost objects of a chunk together, with parity once.
 *
 * <p>A baseline starts on fresh servers with no metadata, and is not restarted: a change of servers
 * is not safe against a crash of the proxy.
 */
@NullMarked
package io.counterpart.baselines;

import org.jspecify.annotations.NullMarked;
