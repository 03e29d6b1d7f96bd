/**
 * Real Cassandra nodes on loopback addresses of one Linux machine: a spec becomes files, the files
 * become processes, and one state file finds the processes again.
 *
 * <p>In: {@link io.counterpart.cluster.layout.ClusterSpec}. Out: running nodes, their JMX, NodeTool
 * and log. Writes only into the spec's home directory, but for one archive of classes in the target
 * directory of the build that the server's jars are from. Nodes that somebody else runs offer their
 * JMX alone ({@link io.counterpart.cluster.RemoteNode}). Must not be here: driver, workload,
 * measurement.
 */
@NullMarked
package io.counterpart.cluster;

import org.jspecify.annotations.NullMarked;
