package io.counterpart.cache.ownership;

/**
 * A server's refusal, with its reason.
 *
 * @param why with the server and what to do
 * @param isByOwnTier whether another start of this tier has the server: a newer one, or one of
 *     another copy of the metadata
 * @param epoch of that start; 0 if it is not known
 */
public record Refusal(String why, boolean isByOwnTier, int epoch) {}
