/**
 * A cluster that somebody else runs, as a place for experiments: it is looked at over CQL and JMX,
 * refused with a reason or worked on, and left as it was.
 *
 * <p>In: contact points and logins. Out: a {@link io.counterpart.lab.setup.ClusterSource}. Must not
 * be here: processes, files, control groups, anything that changes more than keyspaces of the run's
 * own.
 */
@NullMarked
package io.counterpart.lab.remote;

import org.jspecify.annotations.NullMarked;
