/**
 * Placement of keys, parity items and servers by consistent hashing, in n rings or in one, and the
 * arcs that a change of servers moves. In: names of servers, bytes of keys. Out: pure look-ups, and
 * changes as values. No sockets, no files, no mutable state. Paper: ECHash §2.1, §4.1, §4.3.
 */
@NullMarked
package io.counterpart.cache.ring;

import org.jspecify.annotations.NullMarked;
