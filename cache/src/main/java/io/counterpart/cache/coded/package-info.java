/**
 * One shard's objects on memcached servers under an (n, k) code: placement, decoding, and writes
 * that survive a crash of the proxy together with the loss of n − k servers. In: keys and changes
 * of records; out: records. The meaning of clients' commands must not be here.
 */
@NullMarked
package io.counterpart.cache.coded;

import org.jspecify.annotations.NullMarked;
