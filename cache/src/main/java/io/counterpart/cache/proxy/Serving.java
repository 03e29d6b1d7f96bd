package io.counterpart.cache.proxy;

import io.counterpart.cache.tier.ObjectTier;

/**
 * The state that the clients of one listener and one event loop share.
 *
 * @param statistics of all event loops
 * @param costs of requests to the tier
 * @param memory for requests, of all listeners on this event loop
 */
record Serving(
    ObjectTier tier, ProxyStatistics statistics, RequestCosts costs, MemoryBudget memory) {}
