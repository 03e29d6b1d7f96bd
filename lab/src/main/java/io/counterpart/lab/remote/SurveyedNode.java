package io.counterpart.lab.remote;

import io.counterpart.cluster.RemoteNode;
import java.util.List;

/**
 * A node with its own report of itself.
 *
 * @param node where it is
 * @param cassandra its version
 * @param plugins file names of Counterpart's jars on its class path, none as a rule where it is not
 *     installed
 * @param snitch the snitch's class, and whether latencies bear on it
 * @param tokens how many it has
 * @param heapBytes most heap of its process
 * @param cores processors that its process may use
 * @param memoryBytes memory of its machine
 */
record SurveyedNode(
    RemoteNode node,
    String cassandra,
    List<String> plugins,
    String snitch,
    int tokens,
    long heapBytes,
    int cores,
    long memoryBytes) {
  /** Keeps the list as it is. */
  SurveyedNode {
    plugins = List.copyOf(plugins);
  }
}
