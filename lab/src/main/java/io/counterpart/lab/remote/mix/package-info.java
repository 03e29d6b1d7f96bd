/**
 * Changes of the mix (N, W, R) of a keyspace under HeterogeneousStrategy on a running cluster, over
 * CQL.
 *
 * <p>In: contact points, a keyspace, the mix that is wanted. Out: the levels that applications need
 * meanwhile, as {@code core.placement.engine} has them, and a keyspace altered on request. Not
 * here: the rule, and repairs.
 */
@NullMarked
package io.counterpart.lab.remote.mix;

import org.jspecify.annotations.NullMarked;
