/**
 * One shard's objects on memcached servers under an (n, k) code: placement, decoding, and writes
 * that survive a crash of the proxy together with the loss of n − k servers. In: keys and changes
 * of records; out: records. The meaning of clients' commands must not be here.
 *
 * <p>Rule for exceptions: a {@link RuntimeException} ends the shard. A holder of a key's lock, a
 * stripe's gate or room in the journals gives it back in a later callback, and no {@code finally}
 * spans both. So the state that a throwing callback leaves is unknown. Only the entrances of the
 * shard catch the exception: {@link io.counterpart.cache.backend.GuardedLoop} for its tasks,
 * answers of servers and clients' operations. They log it and end the shard, which from then on
 * refuses operations and changes nothing. The next start continues from metadata and journals, as
 * after a crash.
 */
@NullMarked
package io.counterpart.cache.coded;

import org.jspecify.annotations.NullMarked;
