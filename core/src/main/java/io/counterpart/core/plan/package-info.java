/**
 * What a decoupled table rewrites next: the order of work, the batches, merges, realignment and
 * purges. In: one record a sstable (role, group, bytes, age, key range, what of it is droppable).
 * Out: decisions in their order, each with its reason. No files, no locks, no clock.
 *
 * <p>Paper: DEPART §4.3, §4.4; the sizes that trigger a rewrite are those of {@code core.runs}.
 */
@NullMarked
package io.counterpart.core.plan;

import org.jspecify.annotations.NullMarked;
