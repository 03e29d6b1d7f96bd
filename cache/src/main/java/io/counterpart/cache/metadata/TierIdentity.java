package io.counterpart.cache.metadata;

import java.util.UUID;

/**
 * Which tier a log is of.
 *
 * @param id made at random with the log
 * @param acceptsPlainMarks whether servers may carry marks of a version without ids: the log is of
 *     such a version
 */
public record TierIdentity(UUID id, boolean acceptsPlainMarks) {}
