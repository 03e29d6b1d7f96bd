package io.counterpart.recovery;

import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a keyspace.
 *
 * @param primaryDone primary ranges restored, those of earlier runs included
 * @param streamedBytes bytes that this run received so far
 * @param remaining estimate for all steps of the run, empty while there is none
 */
public record RecoveryProgress(
    String keyspace,
    int primaryDone,
    int primaryTotal,
    int redundantDone,
    int redundantTotal,
    long streamedBytes,
    Optional<Duration> remaining) {}
