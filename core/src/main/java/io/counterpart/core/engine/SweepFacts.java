package io.counterpart.core.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What it depends on whether a table's store is swept now.
 *
 * @param walking whether a sweep has begun and not ended
 * @param quiet time since the last one has ended
 * @param delay least time between two sweeps; null for never
 */
public record SweepFacts(
    SweepConditions table, boolean walking, Duration quiet, @Nullable Duration delay) {}
