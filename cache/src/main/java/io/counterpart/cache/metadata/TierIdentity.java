package io.counterpart.cache.metadata;

import java.util.UUID;

/**
 * The identity of the tier that a log belongs to.
 *
 * @param id random, made with the log
 * @param acceptsPlainMarks whether servers may carry marks without ids, because the log dates from
 *     a version that wrote those
 */
public record TierIdentity(UUID id, boolean acceptsPlainMarks) {}
