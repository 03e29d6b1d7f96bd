/**
 * The two-layer log's decisions: when segments are split, which runs of a group are merged. In:
 * sizes and ages. Out: a decision with its reason. No files, no locks, no clock.
 *
 * <p>Paper: DEPART §4.3, §4.4.
 */
@NullMarked
package io.counterpart.core.runs;

import org.jspecify.annotations.NullMarked;
