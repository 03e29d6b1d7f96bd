/**
 * Real Cassandra nodes on loopback addresses of one Linux machine: a spec becomes a layout of
 * files, the layout becomes processes, and the processes stay findable through one state file.
 *
 * <p>In: {@link io.counterpart.cluster.ClusterSpec}. Out: running nodes, their JMX, NodeTool and
 * log. Nothing outside the spec's home directory is written, but for one archive of classes in the
 * target directory of the build that the server's jars are from. Of nodes that somebody else runs
 * there is their JMX alone ({@link io.counterpart.cluster.RemoteNode}). No driver, no workload and
 * no measurement belongs here.
 */
@NullMarked
package io.counterpart.cluster;

import org.jspecify.annotations.NullMarked;
