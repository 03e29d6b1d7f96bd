package io.counterpart.cache.proxy;

import io.counterpart.cache.tier.ObjectTier;

/**
 * The state that the clients of one listener share.
 *
 * @param costs of requests to the tier
 * @param memory for requests, of all listeners of this process
 */
record Serving(
    ObjectTier tier, ProxyStatistics statistics, RequestCosts costs, MemoryBudget memory) {}
