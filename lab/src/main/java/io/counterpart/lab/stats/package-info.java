/**
 * What may be said of numbers that were measured more than once.
 *
 * <p>In: plain numbers. Out: medians with intervals, and verdicts. Must not be here: what the
 * numbers mean, how they were measured.
 */
@NullMarked
package io.counterpart.lab.stats;

import org.jspecify.annotations.NullMarked;
