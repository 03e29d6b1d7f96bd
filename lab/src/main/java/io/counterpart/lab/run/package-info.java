/**
 * Runs a declared experiment: loads its tables, then runs blocks of every arm in turn and measures
 * each on the client and on the nodes.
 *
 * <p>In: an {@link io.counterpart.lab.plan.Experiment} and a cluster. Out: one {@link
 * io.counterpart.lab.result.LabResult}. Must not be here: the list of experiments, the meaning of
 * their figures, display.
 */
@NullMarked
package io.counterpart.lab.run;

import org.jspecify.annotations.NullMarked;
