package io.counterpart.core.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What it depends on whether a table's store is swept now.
 *
 * @param covered whether a commit log replay would begin with the newest memtable
 * @param walking whether a sweep has begun and not ended
 * @param quiet time since the last one has ended, or since the table was opened
 * @param delay least such time; null for never
 */
public record SweepFacts(
    SweepConditions table,
    boolean covered,
    boolean walking,
    Duration quiet,
    @Nullable Duration delay) {}
