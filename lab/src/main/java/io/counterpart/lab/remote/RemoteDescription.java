package io.counterpart.lab.remote;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A result's description of a cluster that somebody else runs, unknown properties included. */
final class RemoteDescription {
  /** Why nobody looked whether the data fits. */
  static final String DISK_SPACE =
      "free disk space not checked: Cassandra 5.0 tells clients what its tables use"
          + " (system_views.disk_usage), not what its disks have left; look at each node";

  private static final long MIB = 1 << 20;

  private RemoteDescription() {}

  static Map<String, Object> of(Survey.Findings findings, RemoteAccess access) {
    List<SurveyedNode> nodes = findings.nodes();
    Map<String, Object> config = new LinkedHashMap<>();
    config.put(
        "cluster",
        "run by somebody else: %s, datacenter %s"
            .formatted(findings.name(), findings.datacenter()));
    config.put("cassandra", distinct(nodes, SurveyedNode::cassandra));
    config.put("plugin", distinct(nodes, node -> String.join(" and ", node.plugins())));
    config.put("tokensPerNode", distinct(nodes, SurveyedNode::tokens));
    config.put("heapMegabytes", distinct(nodes, node -> node.heapBytes() / MIB));
    config.put("nodeCores", distinct(nodes, SurveyedNode::cores));
    config.put("nodeMemoryMegabytes", distinct(nodes, node -> node.memoryBytes() / MIB));
    config.put("snitch", distinct(nodes, SurveyedNode::snitch));
    config.put(
        "routing",
        "arms with +pf differ in the client alone, which sends to the primary replica; the nodes'"
            + " snitch was left as it is");
    config.put("yaml", findings.settings());
    config.put("encryption", access.describeEncryption());
    config.put("notMeasured", "bytes that the servers' processes read from and wrote to disk");
    config.put("diskSpace", DISK_SPACE);
    return config;
  }

  /** One value where all nodes have it, else each that there is. */
  private static <T> Object distinct(List<SurveyedNode> nodes, Function<SurveyedNode, T> value) {
    List<T> values = nodes.stream().map(value).distinct().toList();
    return values.size() == 1 ? values.get(0) : values;
  }
}
