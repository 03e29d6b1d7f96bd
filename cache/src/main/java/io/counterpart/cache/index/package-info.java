/**
 * A shard's indexes outside the heap: the slot of each object, the state of each stripe, the sizes
 * of slots. In: hashes of keys, numbers. Out: numbers. The metadata log rebuilds all of it. No
 * keys, no files, no sockets. One thread owns an index. Paper: ECHash §3.
 */
@NullMarked
package io.counterpart.cache.index;

import org.jspecify.annotations.NullMarked;
