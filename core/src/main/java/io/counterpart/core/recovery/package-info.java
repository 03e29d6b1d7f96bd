/**
 * Decisions of a node's recovery: the ranges it must hold, their roles, the method and the steps.
 * In: an adapter's view of one node and its ring. Out: decisions with their reasons. No Cassandra
 * type, no I/O, no clock.
 *
 * <p>Paper: DEPART §4.5.
 */
@NullMarked
package io.counterpart.core.recovery;

import org.jspecify.annotations.NullMarked;
