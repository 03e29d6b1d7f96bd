/**
 * Copies of a shard's metadata log on other machines, byte for byte. In: pieces of the owner's log
 * files. Out: a directory that opens like the owner's after a loss of power, and the position up to
 * which it is on disk. No sockets, no threads. Rules: docs/MEMORY-TIER-MACHINES.md.
 */
@NullMarked
package io.counterpart.cache.metadata.copy;

import org.jspecify.annotations.NullMarked;
