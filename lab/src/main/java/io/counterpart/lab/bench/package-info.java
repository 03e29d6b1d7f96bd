/**
 * The decoupling bench and the demonstration: rounds of load, drain, reads and recovery of the same
 * table under each arm. In: a plan and a cluster. Out: figures of each arm and round.
 */
@NullMarked
package io.counterpart.lab.bench;

import org.jspecify.annotations.NullMarked;
