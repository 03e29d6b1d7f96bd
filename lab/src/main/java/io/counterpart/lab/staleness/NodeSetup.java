package io.counterpart.lab.staleness;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.lab.setup.HandlerSwitches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of an experiment: unmodified Cassandra with the plugin's handler that can make writes
 * late. Reads keep the order of the snitch: the coordinator's own copy, then the ring's.
 *
 * @param nodes 1 to 32
 * @param heapMegabytes of each, 256 to 32768
 * @param isBrief whether nodes run for minutes only, with the JVM's first compiler alone
 * @param lookSeconds time between two looks at which a level may fall, 1 to 30
 */
public record NodeSetup(int nodes, int heapMegabytes, boolean isBrief, int lookSeconds) {
  private static final int TOKENS = 4;

  /** Requests wait for late writes, each on a thread of its own. */
  private static final int REQUEST_THREADS = 256;

  /**
   * The cluster.
   *
   * @param home directory for everything that it writes
   * @param serverLib directory of Cassandra's jars
   */
  ClusterSpec spec(Path home, Path serverLib, Path pluginJar) {
    return ClusterSpec.builder(home)
        .nodes(nodes)
        .tokensPerNode(TOKENS)
        .heapMegabytes(heapMegabytes)
        .serverLib(serverLib)
        .pluginJar(pluginJar)
        .yaml(yaml())
        .jvmOptions(jvmOptions())
        .build();
  }

  private Map<String, Object> yaml() {
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("dynamic_snitch", false);
    yaml.put("concurrent_reads", 8);
    yaml.put("concurrent_writes", 8);
    yaml.put("native_transport_max_threads", REQUEST_THREADS);
    yaml.put("memtable_heap_space", "48MiB");
    yaml.put("memtable_offheap_space", "32MiB");
    return yaml;
  }

  private List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    options.add(HandlerSwitches.jvmOption());
    // tables of experiments have policies of their own
    options.add("-Dcounterpart.consistency.mode=off");
    options.add("-Dcounterpart.consistency.look_seconds=" + lookSeconds);
    // new nodes missed nothing before their start, and levels are to fall within minutes of it
    options.add("-Dcounterpart.consistency.start_absence_seconds=1");
    if (isBrief) {
      options.add("-XX:TieredStopAtLevel=1");
    }
    return options;
  }

  /** For the result's configuration. */
  Map<String, Object> describe() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("nodes", nodes);
    config.put("tokensPerNode", TOKENS);
    config.put("heapMegabytes", heapMegabytes);
    config.put("snitch", "GossipingPropertyFileSnitch, not dynamic");
    config.put("yaml", yaml());
    config.put("jvmOptions", jvmOptions());
    return config;
  }
}
