/**
 * Experiments as declared: arms, stages, steps, repetitions, regimes, and the figures they aim at.
 * In: nothing. Out: plain values that {@code lab.run} executes. No I/O and no cluster belong here.
 */
@NullMarked
package io.counterpart.lab.plan;

import org.jspecify.annotations.NullMarked;
