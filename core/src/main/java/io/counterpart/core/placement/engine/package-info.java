/**
 * Placement in a heterogeneous cluster, whose nodes have storage engines of different classes: how
 * many copies each class keeps, which nodes keep them, tokens under which Cassandra's own strategy
 * chooses such nodes, and levels for a change of the numbers. In go numbers of copies and quorums,
 * nodes with server and class; out come quotas, replicas, tokens and levels.
 *
 * <p>Must not be here: engines themselves, and the order in which replicas are asked ({@code
 * core.selection}).
 */
@NullMarked
package io.counterpart.core.placement.engine;

import org.jspecify.annotations.NullMarked;
