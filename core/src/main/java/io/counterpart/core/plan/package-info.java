/**
 * Plans the next rewrites of a decoupled table: the order of work, batches, merges, realignment and
 * purges. In: one record for each sstable (role, group, bytes, age, key range, droppable share).
 * Out: decisions in their order, each with its reason. No files, no locks, no clock.
 *
 * <p>Paper: DEPART §4.3, §4.4; the sizes that trigger a rewrite are those of {@code core.runs}.
 */
@NullMarked
package io.counterpart.core.plan;

import org.jspecify.annotations.NullMarked;
