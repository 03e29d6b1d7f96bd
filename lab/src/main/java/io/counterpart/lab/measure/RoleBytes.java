package io.counterpart.lab.measure;

import io.counterpart.cluster.ObservedNode;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.lab.workload.TableRef;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bytes that a decoupled table wrote, by cause, summed over the nodes. A stock table has no such
 * counters: empty.
 */
public final class RoleBytes {
  // what the result calls it, and the plugin's counter
  private static final Map<String, String> COUNTERS = new LinkedHashMap<>();

  static {
    COUNTERS.put("flushedPrimary", "FlushedPrimaryBytes");
    COUNTERS.put("flushedRedundant", "FlushedRedundantBytes");
    COUNTERS.put("primaryBatch", "PrimaryBatchBytes");
    COUNTERS.put("split", "SplitBytes");
    COUNTERS.put("merged", "MergedBytes");
  }

  private RoleBytes() {}

  /** The counters now. */
  public static Map<String, Long> of(ConnectedNodes nodes, TableRef table) {
    Map<String, Long> sums = new LinkedHashMap<>();
    COUNTERS.forEach(
        (role, counter) -> {
          String bean =
              "org.apache.cassandra.metrics:type=Counterpart,scope=%s,name=%s"
                  .formatted(table.qualified(), counter);
          for (ObservedNode node : nodes.nodes()) {
            NodeJmx jmx = nodes.jmx(node);
            if (jmx.has(bean)) {
              sums.merge(role, ((Number) jmx.attribute(bean, "Count")).longValue(), Long::sum);
            }
          }
        });
    return sums;
  }

  /** What was written since an earlier reading. */
  static Map<String, Long> since(Map<String, Long> now, Map<String, Long> earlier) {
    Map<String, Long> grown = new LinkedHashMap<>();
    now.forEach((role, bytes) -> grown.put(role, bytes - earlier.getOrDefault(role, 0L)));
    return grown;
  }
}
