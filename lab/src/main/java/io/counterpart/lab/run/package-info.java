/**
 * Runs a declared experiment: loads its tables, then runs blocks of every arm in turn and measures
 * each on the client and on the servers.
 *
 * <p>In: an {@link io.counterpart.lab.plan.Experiment} and a cluster. Out: one {@link
 * io.counterpart.lab.result.LabResult}. Must not be here: which experiments there are, what their
 * figures mean, how results are shown.
 */
@NullMarked
package io.counterpart.lab.run;

import org.jspecify.annotations.NullMarked;
