/**
 * Statistics of repeated measurements.
 *
 * <p>In: plain numbers. Out: medians with intervals, and verdicts. Must not be here: the meaning of
 * the numbers, how they were measured.
 */
@NullMarked
package io.counterpart.lab.stats;

import org.jspecify.annotations.NullMarked;
