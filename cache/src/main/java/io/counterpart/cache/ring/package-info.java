/**
 * Where a key, a parity item or a server belongs: consistent hashing in n rings or in one, and what
 * a change of the servers moves. In: names of servers, bytes of keys. Out: pure look-ups and
 * changes as values. No sockets, no files, no state that changes. Paper: ECHash §2.1, §4.1, §4.3.
 */
@NullMarked
package io.counterpart.cache.ring;

import org.jspecify.annotations.NullMarked;
