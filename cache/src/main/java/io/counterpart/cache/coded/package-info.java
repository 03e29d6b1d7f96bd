/**
 * One shard's objects on memcached servers under an (n, k) code: placement, decoding, and writes
 * that survive a crash of the proxy together with the loss of n − k servers. In: keys and changes
 * of records; out: records. The meaning of clients' commands must not be here.
 *
 * <p>Rule for exceptions: a {@link RuntimeException} ends the shard. Whoever holds the lock of a
 * key, a stripe's gate or room in the journals gives it back in a later callback, and no {@code
 * finally} reaches from one to the other. What a callback that throws has left half done is
 * unknown. So nothing catches it but the ways into the shard: {@link
 * io.counterpart.cache.backend.GuardedLoop} for its tasks, answers of servers and clients'
 * operations. They log it and end the shard, which refuses operations from then on and changes
 * nothing any more. The next start goes on from metadata and journals, as after a crash.
 */
@NullMarked
package io.counterpart.cache.coded;

import org.jspecify.annotations.NullMarked;
