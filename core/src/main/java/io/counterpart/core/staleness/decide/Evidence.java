package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.estimate.StaleBounds;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * What the coordinator knows when it decides.
 *
 * @param bounds of stale reads; empty before the first look at enough samples
 * @param newestSampleMillis age of the newest sample
 * @param loweringFrozen shadow reads have refuted a bound
 * @param refused levels that the cluster's guardrails refuse or warn of
 * @param usualMillis how long reads at a level usually take; empty if unknown
 */
public record Evidence(
    ReplicaHealth health,
    Optional<StaleBounds> bounds,
    long newestSampleMillis,
    boolean loweringFrozen,
    Set<ReadLevel> refused,
    Function<ReadLevel, OptionalLong> usualMillis) {}
