package io.counterpart.lab.setup;

import io.counterpart.cluster.Preflight;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.cluster.layout.Snitches;
import io.counterpart.process.Check;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that experiments run on.
 *
 * @param home directory for everything the cluster writes
 * @param serverLib directory of Cassandra's jars
 * @param pluginJar the plugin, or null to run stock arms only
 * @param nodes nodes
 * @param touchedHeap whether all of a heap is touched at the start, so that a node's memory does
 *     not grow later
 * @param isBrief whether nodes run for minutes only. They use the JVM's first compiler alone then:
 *     the optimizing one would cost more than it gains, most of it while the first table is loaded
 * @param settings of cassandra.yaml beside the lab's own, or instead of them
 * @param placement of the nodes' tokens
 * @param decidesLevels whether nodes have the consistency query handler, with a switch; it needs
 *     the plugin
 * @param engineJars storage engines, which need the plugin too
 * @param servers how nodes share servers
 */
public record LabCluster(
    Path home,
    Path serverLib,
    @Nullable Path pluginJar,
    int nodes,
    boolean touchedHeap,
    boolean isBrief,
    Map<String, Object> settings,
    Placement placement,
    boolean decidesLevels,
    EngineJars engineJars,
    ServerShape servers)
    implements ClusterSource {
  /** Nodes unless an experiment says otherwise. */
  public static final int NODES = 5;

  static final int TOKENS_PER_NODE = 16;

  /** Replicas of each row. */
  public static final int REPLICATION_FACTOR = 3;

  static final int HEAP_MEGABYTES = 700;

  /** The usual cluster, its heap touched as it is used. */
  public LabCluster(Path home, Path serverLib, @Nullable Path pluginJar) {
    this(
        home,
        serverLib,
        pluginJar,
        NODES,
        false,
        false,
        Map.of(),
        Placement.EVEN,
        false,
        EngineJars.NONE,
        ServerShape.USUAL);
  }

  /** The same, able to have these engines. */
  public LabCluster with(EngineJars jars) {
    return like(nodes, touchedHeap, isBrief, settings).on(placement, decidesLevels, jars, servers);
  }

  /** The same with as many nodes, their heaps touched at the start. */
  public LabCluster forExperiment(int wanted) {
    return like(wanted, true, isBrief, settings);
  }

  /** The same with as many nodes. */
  public LabCluster withNodes(int wanted) {
    return like(wanted, touchedHeap, isBrief, settings);
  }

  /** The same with as many nodes, for minutes only. */
  public LabCluster forDemonstration(int wanted) {
    return like(wanted, touchedHeap, true, settings);
  }

  @Override
  public LabCluster with(Map<String, Object> more) {
    return like(nodes, touchedHeap, isBrief, more);
  }

  /** The same with other tokens, and with the consistency query handler or without. */
  LabCluster placed(Placement wanted, boolean deciding) {
    return on(wanted, deciding, engineJars, servers);
  }

  private LabCluster like(int wanted, boolean touched, boolean brief, Map<String, Object> changed) {
    return new LabCluster(
        home,
        serverLib,
        pluginJar,
        wanted,
        touched,
        brief,
        changed,
        placement,
        decidesLevels,
        engineJars,
        servers);
  }

  private LabCluster on(
      Placement wanted, boolean deciding, EngineJars jars, ServerShape ofServers) {
    return new LabCluster(
        home,
        serverLib,
        pluginJar,
        nodes,
        touchedHeap,
        isBrief,
        settings,
        wanted,
        deciding,
        jars,
        ofServers);
  }

  /** Keeps the settings' order. */
  public LabCluster {
    if (decidesLevels && pluginJar == null) {
      throw new IllegalArgumentException(
          "nodes with the consistency query handler: need the plugin's jar, which is not given");
    }
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  @Override
  public OptionalInt fixedNodes() {
    return OptionalInt.empty();
  }

  @Override
  public Set<String> engines() {
    return pluginJar == null ? Set.of() : engineJars.names();
  }

  @Override
  public void require(ClusterNeeds needs, Progress progress) {
    Check disk = Preflight.requireDisk(forExperiment(needs.nodes()).spec(), needs.dataBytes());
    progress.say("data: %s; %s".formatted(needs.describeData(), disk.found()));
  }

  @Override
  public RunningLab open(WantedNodes wanted, Progress progress)
      throws IOException, InterruptedException {
    return RunningLab.start(fitted(wanted), progress);
  }

  LabCluster fitted(WantedNodes wanted) {
    return forExperiment(wanted.count())
        .on(
            wanted.placement(),
            wanted.decidesLevels(),
            engineJars.using(wanted.engines()),
            wanted.servers());
  }

  /** Names of the entries of cassandra.yaml that the lab sets: they bear on what is measured. */
  public static Set<String> settingNames() {
    return ownYaml().keySet();
  }

  /** What the experiment overrides in cassandra.yaml, for all arms alike. */
  Map<String, Object> yaml() {
    Map<String, Object> yaml = ownYaml();
    yaml.putAll(engineJars.yaml());
    yaml.putAll(servers.settings());
    yaml.putAll(settings);
    return yaml;
  }

  private static Map<String, Object> ownYaml() {
    Map<String, Object> yaml = new LinkedHashMap<>();
    // the scale model: memtables as small against 240 MB a node as a real node's are against its
    // data
    yaml.put("memtable_offheap_space", "8MiB");
    yaml.put("memtable_heap_space", "64MiB");
    yaml.put("memtable_cleanup_threshold", 0.3);
    yaml.put("memtable_flush_writers", 1);
    // compaction is measured in bytes and CPU: a throttle would only add waiting
    yaml.put("compaction_throughput", "0MiB/s");
    yaml.put("stream_throughput_outbound", "0MiB/s");
    yaml.put("entire_sstable_stream_throughput_outbound", "0MiB/s");
    yaml.put("concurrent_compactors", 2);
    // five nodes share a few cores: idle threads of larger pools spin, which hides what is measured
    yaml.put("concurrent_reads", 4);
    yaml.put("concurrent_writes", 4);
    yaml.put("native_transport_max_threads", 4);
    // reorders replicas by noise on a shared machine
    yaml.put("dynamic_snitch", false);
    return yaml;
  }

  /** Options of the nodes' JVMs beside those of every cluster. */
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    if (touchedHeap) {
      options.add("-XX:+AlwaysPreTouch");
    }
    if (isBrief) {
      options.add("-XX:TieredStopAtLevel=1");
    }
    if (decidesLevels) {
      options.add(HandlerSwitches.jvmOption());
    }
    options.addAll(servers.jvmOptions());
    return options;
  }

  ClusterSpec spec() {
    ClusterSpec.Builder builder =
        ClusterSpec.builder(home.resolve(servers.name()))
            .nodes(nodes)
            .ports(servers.ports())
            .tokensPerNode(TOKENS_PER_NODE)
            .placement(placement)
            .heapMegabytes(servers.heapMegabytes())
            .serverLib(serverLib)
            .pluginJar(pluginJar)
            .extraJars(engineJars.jars())
            .engines(servers.isHeterogeneous() ? List.of() : engineJars.used())
            .jvmOptions(jvmOptions())
            .yaml(yaml());
    EngineLayout layout = servers.layout();
    if (layout != null) {
      builder.layout(layout, nodes / layout.engines().size());
    }
    return (pluginJar == null ? builder : builder.snitch(Snitches.PRIMARY_FIRST)).build();
  }
}
