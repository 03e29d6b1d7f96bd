/**
 * How a node is made whole again: which ranges it owes copies of, in which role, which way restores
 * them and in which steps. In: what an adapter saw of one node and its ring. Out: decisions with
 * their reasons. No Cassandra type, no I/O, no clock.
 *
 * <p>Paper: DEPART §4.5.
 */
@NullMarked
package io.counterpart.core.recovery;

import org.jspecify.annotations.NullMarked;
