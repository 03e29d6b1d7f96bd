/**
 * What a shard knows of its objects and stripes, outside the heap: which slot an object has, what
 * state a stripe is in, which sizes slots have. In: hashes of keys, numbers. Out: numbers. All can
 * be made again from the metadata log. No keys, no files, no sockets. One thread owns an index.
 * Paper: ECHash §3.
 */
@NullMarked
package io.counterpart.cache.index;

import org.jspecify.annotations.NullMarked;
