package io.counterpart.cli.nodes;

import io.counterpart.cli.console.TextTable;
import io.counterpart.cluster.Cluster;
import io.counterpart.cluster.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster in the output of {@code up} and {@code status}. */
record ClusterView(Cluster cluster, List<NodeView> nodes) {

  static ClusterView of(Cluster cluster) {
    Ring ring = Ring.of(cluster);
    return new ClusterView(
        cluster, cluster.members().stream().map(node -> NodeView.of(node, ring)).toList());
  }

  boolean allUp() {
    return cluster.members().stream().allMatch(Node::isRunning);
  }

  String text() {
    TextTable table =
        new TextTable(
            List.of(
                "node",
                "address",
                "state",
                "pid",
                "CQL",
                "JMX",
                "dc",
                "rack",
                "tokens",
                "owns %",
                "load MiB",
                "CPU s"));
    nodes.forEach(node -> table.row(node.cells()));
    return table.render() + System.lineSeparator() + "tokens: " + placement();
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("home", cluster.spec().home().toString());
    json.put("plugin", String.valueOf(cluster.spec().pluginJar()));
    json.put("placement", cluster.spec().placement().toString());
    json.put("nodes", nodes);
    return json;
  }

  /** The placement in force, for people; a node that joins later chooses tokens of its own. */
  private String placement() {
    return switch (cluster.spec().placement()) {
      case EVEN -> "even, nodes by number (up --placement even)";
      case POR -> "ordered by the hashes of the nodes' addresses (up --placement por)";
      case RANDOM -> "random (up --placement random)";
      case ENGINES -> "by engine class, which is the rack (up --engines)";
    };
  }
}
