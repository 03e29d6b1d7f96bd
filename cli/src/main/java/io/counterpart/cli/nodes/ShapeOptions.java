package io.counterpart.cli.nodes;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Location;
import io.counterpart.cluster.layout.Placement;
import io.counterpart.cluster.layout.QueryHandlerOptions;
import io.counterpart.cluster.layout.Snitches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a new cluster; mixed into {@code up}. */
final class ShapeOptions {

  /** Names of all options here, to tell whether one of them was given. */
  static final List<String> NAMES =
      List.of(
          "--servers",
          "--engines",
          "--quorum",
          "--nodes",
          "--tokens",
          "--heap",
          "--dcs",
          "--racks",
          "--placement",
          "--jar",
          "--stock",
          "--server-lib",
          "--engine",
          "--engine-jar",
          "--snitch",
          "--yaml",
          "--jvm-option");

  static final int DEFAULT_HEAP = 700;
  static final int LEAST_HEAP = 256;

  /** Who keeps copies of a logged batch. */
  private static final String BATCHLOG = "batchlog_endpoint_strategy";

  private static final List<String> ENGINES = List.of("lmdb", "memory", "redis", "sql");
  private static final String MEMTABLE = "memtable";

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "5",
      description = "Nodes, 1 to 32 (default: 5).")
  private int nodes;

  @Option(
      names = "--tokens",
      paramLabel = "V",
      defaultValue = "16",
      description =
          "Tokens of each node, 1 to 256 (default: 16). With --engines for each copy of its class,"
              + " and fewer where that evens out the shares.")
  private int tokens;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description =
          "Heap of each node in megabytes, 256 to 32768 (default: 700). With --engines the nodes of"
              + " a server share it, at least 256 each.")
  private @Nullable Integer heapMegabytes;

  @Option(
      names = "--dcs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Datacenters dc1, dc2 …, 1 to the nodes; nodes are dealt out evenly (default: 1).")
  private int dcs;

  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "1",
      description = "Racks rack1, rack2 … in each datacenter, 1 to its nodes (default: 1).")
  private int racks;

  @Option(
      names = "--placement",
      paramLabel = "NAME",
      defaultValue = "even",
      description =
          "Nodes' tokens: even, in the order of their numbers; por, by the hashes of their addresses"
              + " as counterpart tokens does; random (default: even).")
  private String placement = "";

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "Plugin jar (default: the one that this checkout built).")
  private @Nullable Path jar;

  @Option(names = "--stock", description = "Without the plugin: stock Cassandra.")
  private boolean stock;

  @Option(
      names = "--server-lib",
      paramLabel = "DIR",
      description = "Cassandra's jars (default: those that this checkout fetched).")
  private @Nullable Path serverLib;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      description =
          "Storage engine whose jar each node gets, for tables WITH memtable = 'NAME': lmdb,"
              + " memory, or redis or sql with a server for each node, or one of a module beside"
              + " these or of --engine-jar; repeatable.")
  private List<String> engines = new ArrayList<>();

  @Option(
      names = "--engine-jar",
      paramLabel = "FILE",
      description = "Jar with engines that --engine or --engines names; repeatable.")
  private List<Path> engineJars = new ArrayList<>();

  @Option(
      names = "--snitch",
      paramLabel = "CLASS",
      description =
          "Snitch (default: "
              + Snitches.USUAL
              + ", and with --engines the plugin's, by which reads ask memory and read nodes first).")
  private @Nullable String snitch;

  @Option(
      names = "--yaml",
      paramLabel = "KEY=VALUE",
      description = "Entry of cassandra.yaml, value in YAML; repeatable.")
  private Map<String, String> yaml = new LinkedHashMap<>();

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "Option of each node's JVM; repeatable.")
  private List<String> jvmOptions = new ArrayList<>();

  @Mixin private EngineOptions heterogeneous;

  /** Whether the nodes have engines of different classes. */
  boolean isHeterogeneous() {
    return heterogeneous.isGiven();
  }

  int nodes() {
    return nodes;
  }

  /**
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  ClusterSpec spec(Path home) {
    if (stock && jar != null) {
      throw new IllegalArgumentException("--stock and --jar exclude each other");
    }
    Installation installation = Installation.locate();
    FurtherEngines further =
        new FurtherEngines(
            engineJars, installation.furtherEngineJars(), () -> nodeJars(installation));
    requireEngines(further);
    ClusterSpec.Builder spec = ClusterSpec.builder(home);
    List<String> named = isHeterogeneous() ? shapeByClass(spec, further) : shape(spec);
    further.requireUsed(named);
    spec.tokensPerNode(tokens)
        .serverLib(serverLib(installation))
        .yaml(parsedYaml())
        .jvmOptions(jvmOptions);
    if (snitch != null) {
      spec.snitch(snitch);
    }
    // a bad shape is told before a missing jar
    spec.build();
    return spec.pluginJar(stock ? null : plugin(installation))
        .extraJars(
            named.stream()
                .map(name -> further.jar(name).orElseGet(() -> installation.engineJar(name)))
                .distinct()
                .toList())
        .build();
  }

  private Path serverLib(Installation installation) {
    return serverLib != null ? serverLib : installation.serverLib();
  }

  private Path plugin(Installation installation) {
    return jar != null ? jar : installation.pluginJar();
  }

  private List<Path> nodeJars(Installation installation) {
    List<Path> jars = new ArrayList<>(List.of(plugin(installation)));
    jars.addAll(FurtherEngines.in(serverLib(installation)));
    return jars;
  }

  /** Sets the nodes; returns the engines that need a jar. */
  private List<String> shape(ClusterSpec.Builder spec) {
    requireUpTo("--dcs", dcs, nodes);
    requireUpTo("--racks", racks, Math.max(1, nodes / dcs));
    spec.nodes(nodes)
        .heapMegabytes(heapMegabytes == null ? DEFAULT_HEAP : heapMegabytes)
        .locations(locations())
        .placement(placed())
        .engines(engines);
    if (!engines.isEmpty()) {
      spec.jvmOptions(QueryHandlerOptions.explaining(jvmOptions));
    }
    return engines;
  }

  private List<String> shapeByClass(ClusterSpec.Builder spec, FurtherEngines further) {
    int servers = heterogeneous.servers();
    EngineLayout layout = heterogeneous.layout(further);
    int classes = layout.engines().size();
    requireUpTo("--servers", servers, ClusterSpec.MAX_NODES / classes);
    spec.layout(layout, servers).heapMegabytes(EngineOptions.nodeHeap(heapMegabytes, classes));
    spec.jvmOptions(QueryHandlerOptions.repairing(jvmOptions));
    if (!yaml.containsKey(BATCHLOG)) {
      // racks are classes: the others of a node's rack are on other servers
      spec.yaml(Map.of(BATCHLOG, "prefer_local"));
    }
    if (snitch == null && !yaml.containsKey("endpoint_snitch")
        || Snitches.PRIMARY_FIRST.equals(snitch)) {
      spec.snitch(Snitches.PRIMARY_FIRST)
          .yaml(Map.of("dynamic_snitch", false))
          .jvmOptions(layout.optionsForReads(jvmOptions));
    }
    return layout.jars();
  }

  private void requireEngines(FurtherEngines further) {
    if (stock && !engines.isEmpty()) {
      throw new IllegalArgumentException("--stock and --engine exclude each other");
    }
    if ((isHeterogeneous() || !engines.isEmpty()) && yaml.containsKey(MEMTABLE)) {
      throw new IllegalArgumentException(
          "%s and --yaml memtable exclude each other"
              .formatted(isHeterogeneous() ? "--engines" : "--engine"));
    }
    engines.forEach(engine -> further.require("--engine", engine, ENGINES));
  }

  private Placement placed() {
    for (Placement each : Placement.ANY) {
      if (each.toString().equals(placement)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "--placement is '%s', legal: one of %s".formatted(placement, Placement.ANY));
  }

  private List<Location> locations() {
    List<Location> locations = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      int dc = node % dcs;
      int rack = node / dcs % racks;
      locations.add(new Location("dc" + (dc + 1), "rack" + (rack + 1)));
    }
    return locations;
  }

  private Map<String, Object> parsedYaml() {
    Map<String, Object> parsed = new LinkedHashMap<>();
    Load load = new Load(LoadSettings.builder().build());
    yaml.forEach(
        (key, value) -> {
          try {
            parsed.put(key, load.loadFromString(value));
          } catch (YamlEngineException e) {
            throw new IllegalArgumentException(
                "--yaml " + key + " has the value '" + value + "', which is not YAML", e);
          }
        });
    return parsed;
  }

  private static void requireUpTo(String option, int value, int high) {
    if (value < 1 || value > high) {
      throw new IllegalArgumentException(option + " is " + value + ", not in 1.." + high);
    }
  }
}
