/**
 * A shard's metadata on local disk: a log of assigned and freed slots, stripes, topology and epoch.
 * Keys are read from the log's files by stripe, chunk and slot. In: a directory, changes. Out: the
 * state after a crash, keys in order. No sockets, no threads, no decision when to sync. Byte
 * formats: docs/MEMORY-TIER-INTERNALS.md. Paper: ECHash §3, §4.6 (metadata management).
 */
@NullMarked
package io.counterpart.cache.metadata;

import org.jspecify.annotations.NullMarked;
