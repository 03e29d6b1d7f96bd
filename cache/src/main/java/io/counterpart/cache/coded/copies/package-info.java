/**
 * The owner's side of the copies of its metadata: serves them the log, and waits for those that
 * count before the log counts as durable. In: pulls, the log's growth. Out: pieces of the log, and
 * changes of the set of copies that count. Rules: docs/MEMORY-TIER-MACHINES.md.
 */
@NullMarked
package io.counterpart.cache.coded.copies;

import org.jspecify.annotations.NullMarked;
