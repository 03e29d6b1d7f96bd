package io.counterpart.integration;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.Ports;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The clusters that tests run on, in the order in which they are started: first those whose tests
 * wait most, while others use the processors.
 */
enum Shape {
  /** Three nodes whose number changes. */
  CHANGING_RING(16, same(3)),
  /**
   * Two servers with a node for writes and one in memory each, and a third with one for reads; the
   * engines are all stock.
   */
  ENGINE_CLASSES(
      4,
      List.of(
          new Location("dc1", "s1/write"),
          new Location("dc1", "s1/memory"),
          new Location("dc1", "s2/write"),
          new Location("dc1", "s2/memory"),
          new Location("dc1", "s3/read")),
      shortWrites()),
  /** Three nodes with a few tokens each, where only tables differ. */
  THREE_NODES(4, same(3)),
  /** Three nodes with one token each, so that a node can be moved; sstables with trie indexes. */
  ONE_TOKEN(
      1,
      same(3),
      Map.of("storage_compatibility_mode", "NONE", "sstable", Map.of("selected_format", "bti"))),
  /** A node on which keyspaces may be given transient replicas, and which speaks TLS if asked. */
  TRANSIENT_REPLICATION(1, same(1), Map.of("transient_replication_enabled", true)),
  /**
   * Two datacenters, one token a node: one with two racks, of which one has two nodes, the other
   * with a node in each of three racks. They name engine classes; the engines are all stock.
   */
  TWO_DATACENTERS(
      1,
      List.of(
          new Location("dc1", "s1/memory"),
          new Location("dc1", "s1/memory"),
          new Location("dc1", "s2/write"),
          new Location("dc2", "s1/write"),
          new Location("dc2", "s2/memory"),
          new Location("dc2", "s3/read")),
      shortWrites()),
  /** Three nodes with more range groups than there may be files for. */
  MANY_TOKENS(256, same(3));

  /** Not the usual ones: classes that use those run beside. */
  static final Ports PORTS = new Ports(9142, 7100, 7299);

  /** For classes that run beside both; 7200 and 7300 are JMX ports of theirs. */
  static final Ports SECOND_PORTS = new Ports(9242, 7500, 7599);

  /** For classes that run beside these. */
  static final Ports THIRD_PORTS = new Ports(9342, 7620, 7649);

  /** Certificates of {@link #TRANSIENT_REPLICATION}, made when it starts. */
  static final Path TLS = Path.of("target/tls-it").toAbsolutePath();

  /** State of whatever shape the first shared cluster has. */
  static final Path HOME = Path.of("target/shared-cluster").toAbsolutePath();

  private final int tokens;
  private final List<Location> locations;
  private final Map<String, Object> moreYaml;

  Shape(int tokens, List<Location> locations) {
    this(tokens, locations, Map.of());
  }

  Shape(int tokens, List<Location> locations, Map<String, Object> moreYaml) {
    this.tokens = tokens;
    this.locations = locations;
    this.moreYaml = moreYaml;
  }

  private static List<Location> same(int nodes) {
    return Collections.nCopies(nodes, Location.DEFAULT);
  }

  /** A change of a mix waits for these. */
  private static Map<String, Object> shortWrites() {
    return Map.of("write_request_timeout", "5000ms", "counter_write_request_timeout", "5000ms");
  }

  /** For classes one after the other, on ports of their own. */
  ClusterSpec sharedSpec() {
    return spec(HOME, PORTS).build();
  }

  /** For one class alone, on the usual ports. */
  ClusterSpec ownSpec() {
    return spec(HOME.resolveSibling("own-cluster"), Ports.DEFAULT).build();
  }

  /** The same as {@link #sharedSpec} for classes that run beside those. */
  ClusterSpec secondSpec() {
    return spec(HOME.resolveSibling("second-cluster"), SECOND_PORTS)
        .jvmOptions(List.of(Breakpoint.OPTION))
        .build();
  }

  private ClusterSpec.Builder spec(Path home, Ports ports) {
    Installation installation = Installation.locate();
    List<String> engines = this == THREE_NODES ? EngineServers.ENGINES : EngineServers.EMBEDDED;
    return ClusterSpec.builder(home)
        .nodes(locations.size())
        .locations(locations)
        .tokensPerNode(tokens)
        .heapMegabytes(450)
        .jvmOptions(
            List.of(
                // two threads of a parallel collection wait for two cores that others use
                "-XX:-UseParallelGC",
                "-XX:+UseSerialGC",
                // sstables of each change of the schema, and their compactions, were a fifth: it is
                // flushed before a kill, and by a stop
                "-Dcassandra.test.flush_local_schema_changes=false",
                // a sync may take long beside other nodes; meanwhile the log's end is not marked,
                // for which CommitLogMarks waits; kills leave the page cache
                "-Dcassandra.skip_sync=true"))
        .jvmOptions(batches())
        .yaml(yaml())
        .ports(ports)
        .serverLib(installation.serverLib())
        .pluginJar(installation.pluginJar())
        .engines(engines)
        .extraJars(engines.stream().map(installation::engineJar).distinct().toList());
  }

  private List<String> batches() {
    return this == CHANGING_RING ? List.of(RingMembers.NO_BATCHES) : List.of();
  }

  private Map<String, Object> yaml() {
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("memtable_heap_space", "16MiB");
    yaml.put("memtable_offheap_space", "16MiB");
    yaml.put("commitlog_segment_size", "8MiB");
    yaml.put("commitlog_total_space", "128MiB");
    yaml.put("compaction_throughput", "0MiB/s");
    // a read at ONE must come from the coordinator itself, so that each node is judged alone
    yaml.put("dynamic_snitch", false);
    yaml.put("hinted_handoff_throttle", "0KiB");
    yaml.put("counter_write_request_timeout", "30000ms");
    yaml.put("write_request_timeout", "20000ms");
    yaml.put("cas_contention_timeout", "20000ms");
    yaml.put("repair_request_timeout", "120000ms");
    yaml.put("materialized_views_enabled", true);
    yaml.put("memtable", memtables());
    yaml.putAll(moreYaml);
    if (this == TRANSIENT_REPLICATION) {
      yaml.put("client_encryption_options", NodeTls.create(TLS).clientEncryption());
    }
    return yaml;
  }

  /** Configurations beside the engines' own; the class path has no engine {@code absent}. */
  private Map<String, Object> memtables() {
    Map<String, Object> configurations = new LinkedHashMap<>();
    if (this == THREE_NODES) {
      for (String engine : EngineServers.ENGINES) {
        configurations.put(EngineServers.swept(engine), EngineServers.sweeping(engine, "buffered"));
        configurations.put(
            EngineServers.swept(EngineServers.direct(engine)),
            EngineServers.sweeping(engine, "direct"));
      }
    }
    configurations.putAll(
        Map.of(
            "absent",
            engine(Map.of("engine", "absent")),
            "lmdb_absorbing",
            engine(Map.of("engine", "lmdb", "absorb_sstables_after", "2s")),
            "direct_absorbing",
            engine(Map.of("engine", "lmdb", "mode", "direct", "absorb_sstables_after", "2s")),
            "memory_absorbing",
            engine(Map.of("engine", "memory", "absorb_sstables_after", "2s")),
            EngineServers.SMALL,
            engine(Map.of("engine", "lmdb", "directory", EngineServers.SMALL_DIRECTORY)),
            EngineServers.VOLATILE,
            engine(Map.of("engine", "memory", "volatile", "true", "memory", "1MiB")),
            "volatile_direct",
            engine(Map.of("engine", "memory", "volatile", "true", "mode", "direct"))));
    return Map.of("configurations", configurations);
  }

  private static Map<String, Object> engine(Map<String, String> parameters) {
    return Map.of(
        "class_name", "io.counterpart.cassandra.engine.EngineMemtable", "parameters", parameters);
  }
}
