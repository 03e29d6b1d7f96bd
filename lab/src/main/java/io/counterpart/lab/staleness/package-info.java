/**
 * Experiments on stale reads, on real nodes whose writes are late: cells of N, R and W instead of
 * arms. In: a plan. Out: the same result as any experiment's. The truth is {@code lab.check}'s; the
 * nodes' own estimate is read from their virtual tables and only compared. Must not be here: the
 * estimate, the decision of levels.
 */
@NullMarked
package io.counterpart.lab.staleness;

import org.jspecify.annotations.NullMarked;
