package io.counterpart.cache.metadata;

import java.util.UUID;

/**
 * The identity of the tier that a log belongs to.
 *
 * @param id made at random with the log
 * @param acceptsPlainMarks whether servers may carry marks of a version without ids: the log is of
 *     such a version
 */
public record TierIdentity(UUID id, boolean acceptsPlainMarks) {}
