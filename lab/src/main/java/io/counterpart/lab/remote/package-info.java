/**
 * A cluster that somebody else runs, as a place for experiments: surveyed over CQL and JMX, refused
 * with a reason or used, and left as it was.
 *
 * <p>In: contact points and logins. Out: a {@link io.counterpart.lab.setup.ClusterSource}. Must not
 * be here: processes, files, control groups, changes beyond the run's own keyspaces.
 */
@NullMarked
package io.counterpart.lab.remote;

import org.jspecify.annotations.NullMarked;
