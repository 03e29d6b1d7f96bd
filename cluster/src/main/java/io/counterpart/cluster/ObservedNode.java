package io.counterpart.cluster;

import io.counterpart.cluster.jmx.NodeJmx;
import java.time.Duration;

/**
 * A Cassandra node seen from outside, whoever runs it: {@link Node} is a process of this machine's
 * own, {@link RemoteNode} is not. Thread-safe.
 */
public sealed interface ObservedNode permits Node, RemoteNode {
  /** 1-based position among the nodes that are looked at together. */
  int index();

  /** Address that clients use. */
  String address();

  /** Name of its datacenter. */
  String datacenter();

  /** A new JMX connection, to be closed by the caller. */
  NodeJmx jmx();

  /**
   * User and system CPU time of its process so far.
   *
   * @param connection an open one to this node, used where the process cannot be looked at
   */
  Duration cpuTime(NodeJmx connection);
}
