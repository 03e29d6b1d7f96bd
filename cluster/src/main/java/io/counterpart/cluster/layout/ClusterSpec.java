package io.counterpart.cluster.layout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a cluster: an immutable, validated value.
 *
 * @param home the one directory that everything is written under, absolute
 * @param nodes nodes of the fresh cluster, 1 to 32; node i listens on 127.0.0.i
 * @param tokensPerNode virtual nodes, 1 to 256
 * @param heapMegabytes heap of each node, 256 to 32768
 * @param serverLib directory of Cassandra's jars
 * @param pluginJar jar put on the class path in place of any copy of the plugin that the server
 *     has, or null for stock Cassandra
 * @param extraJars jars put after the server's
 * @param locations one per node
 * @param yaml entries that override the generated cassandra.yaml, by top-level key
 * @param jvmOptions added after the generated JVM options
 * @param snitch snitch class: simple name of a stock one or a full class name
 * @param environment added to each server's environment
 * @param ports shared CQL and storage port, and the base of the JMX ports
 * @param placement where the tokens of a fresh cluster lie; absent in specs that were recorded by
 *     older versions, which stands for {@link Placement#EVEN}
 * @param engines names of storage engines that tables may use, each a memtable configuration beside
 *     those of the yaml entries; absent in specs of older versions, which stands for none
 * @param layout of a heterogeneous cluster, whose placement is {@link Placement#ENGINES}; else null
 */
public record ClusterSpec(
    Path home,
    int nodes,
    int tokensPerNode,
    int heapMegabytes,
    Path serverLib,
    @Nullable Path pluginJar,
    List<Path> extraJars,
    List<Location> locations,
    Map<String, Object> yaml,
    List<String> jvmOptions,
    String snitch,
    Map<String, String> environment,
    Ports ports,
    Placement placement,
    List<String> engines,
    @Nullable EngineLayout layout) {

  /** Nodes at most. */
  public static final int MAX_NODES = 32;

  private static final int FLUSH_WRITERS_BESIDE_SERVERS = 4;

  public ClusterSpec {
    requireRange("nodes", nodes, 1, MAX_NODES);
    requireRange("tokens per node", tokensPerNode, 1, 256);
    requireRange("heap megabytes", heapMegabytes, 256, 32_768);
    if (locations.size() != nodes) {
      throw new IllegalArgumentException(
          locations.size() + " locations for " + nodes + " nodes; one per node is needed");
    }
    if (snitch.isBlank()) {
      throw new IllegalArgumentException("snitch class is blank");
    }
    home = home.toAbsolutePath().normalize();
    serverLib = serverLib.toAbsolutePath().normalize();
    pluginJar = pluginJar == null ? null : pluginJar.toAbsolutePath().normalize();
    extraJars = extraJars.stream().map(jar -> jar.toAbsolutePath().normalize()).toList();
    locations = List.copyOf(locations);
    // null values are legal in YAML, so Map.copyOf is not
    yaml = Collections.unmodifiableMap(new LinkedHashMap<>(yaml));
    jvmOptions = List.copyOf(jvmOptions);
    environment = Map.copyOf(environment);
    placement = placement == null ? Placement.EVEN : placement;
    engines = engines == null ? List.of() : List.copyOf(engines);
    if ((layout != null) != (placement == Placement.ENGINES)) {
      throw new IllegalArgumentException(
          "placement is %s, legal: %s with a layout and only with one"
              .formatted(placement, Placement.ENGINES));
    }
    if (layout != null) {
      layout.requireNodes(nodes);
    }
  }

  /** A builder with the defaults of a small machine: 5 nodes, 16 tokens each, 700 MB heap. */
  public static Builder builder(Path home) {
    return new Builder(home);
  }

  /** The same cluster with another plugin jar; null for stock Cassandra. */
  public ClusterSpec withPluginJar(@Nullable Path jar) {
    return with(jar, yaml);
  }

  private ClusterSpec with(@Nullable Path jar, Map<String, Object> entries) {
    return new ClusterSpec(
        home,
        nodes,
        tokensPerNode,
        heapMegabytes,
        serverLib,
        jar,
        extraJars,
        locations,
        entries,
        jvmOptions,
        snitch,
        environment,
        ports,
        placement,
        engines,
        layout);
  }

  /** Whether a node that is killed loses what it has. */
  public boolean losesDataWhenKilled() {
    return layout != null && layout.losesDataWhenKilled();
  }

  /** Whether tables of any node may use an engine. */
  public boolean hasEngine(String name) {
    return locations.stream().anyMatch(at -> enginesAt(at).contains(name));
  }

  /** The engines that tables of a node may use: in a heterogeneous cluster its class's alone. */
  public List<String> enginesAt(Location location) {
    return layout == null ? engines : List.of(layout.engineAt(location));
  }

  /**
   * The same cluster as one node is to see it.
   *
   * @param parameters of each engine at the node, by its name
   */
  public ClusterSpec configured(Map<String, Map<String, String>> parameters) {
    if (parameters.isEmpty()) {
      return this;
    }
    Map<String, Object> entries = new LinkedHashMap<>(yaml);
    entries.put(
        "memtable",
        MemtableConfigurations.merged(
            layout != null
                ? MemtableConfigurations.alias(parameters)
                : MemtableConfigurations.with(parameters),
            yaml.get("memtable")));
    if (!parameters.values().stream().allMatch(Map::isEmpty)) {
      // a flush that waits for its server must leave threads to other tables
      entries.putIfAbsent("memtable_flush_writers", FLUSH_WRITERS_BESIDE_SERVERS);
    }
    return with(pluginJar, entries);
  }

  private static void requireRange(String what, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(what + " is " + value + ", not in " + low + ".." + high);
    }
  }

  /** Collects a spec; {@link #build} validates it. Not thread-safe. */
  public static final class Builder {
    private final Path home;
    private int nodes = 5;
    private int tokensPerNode = 16;
    private int heapMegabytes = 700;
    private @Nullable Path serverLib;
    private @Nullable Path pluginJar;
    private List<Path> extraJars = List.of();
    private List<Location> locations = List.of();
    private final Map<String, Object> yaml = new LinkedHashMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private String snitch = Snitches.USUAL;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private Ports ports = Ports.DEFAULT;
    private Placement placement = Placement.EVEN;
    private List<String> engines = List.of();
    private @Nullable EngineLayout layout;

    private Builder(Path home) {
      this.home = home;
    }

    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    public Builder tokensPerNode(int count) {
      tokensPerNode = count;
      return this;
    }

    public Builder heapMegabytes(int megabytes) {
      heapMegabytes = megabytes;
      return this;
    }

    public Builder serverLib(Path directory) {
      serverLib = directory;
      return this;
    }

    public Builder pluginJar(@Nullable Path jar) {
      pluginJar = jar;
      return this;
    }

    public Builder extraJars(List<Path> jars) {
      extraJars = List.copyOf(jars);
      return this;
    }

    public Builder locations(List<Location> perNode) {
      locations = List.copyOf(perNode);
      return this;
    }

    public Builder yaml(Map<String, Object> overrides) {
      yaml.putAll(overrides);
      return this;
    }

    public Builder jvmOptions(List<String> options) {
      jvmOptions.addAll(options);
      return this;
    }

    public Builder snitch(String className) {
      snitch = className;
      return this;
    }

    public Builder environment(Map<String, String> variables) {
      environment.putAll(variables);
      return this;
    }

    public Builder ports(Ports clusterPorts) {
      ports = clusterPorts;
      return this;
    }

    public Builder engines(List<String> names) {
      engines = List.copyOf(names);
      return this;
    }

    public Builder placement(Placement ofTokens) {
      placement = ofTokens;
      return this;
    }

    /** A heterogeneous cluster: number and racks of the nodes, and their tokens, follow from it. */
    public Builder layout(EngineLayout classes, int servers) {
      layout = classes;
      placement = Placement.ENGINES;
      nodes = servers * classes.engines().size();
      locations = classes.locations(servers);
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the value and the legal range
     */
    public ClusterSpec build() {
      if (serverLib == null) {
        throw new IllegalArgumentException("no directory of server jars given");
      }
      List<Location> places =
          locations.isEmpty()
              ? Collections.nCopies(Math.max(0, nodes), Location.DEFAULT)
              : locations;
      return new ClusterSpec(
          home,
          nodes,
          tokensPerNode,
          heapMegabytes,
          serverLib,
          pluginJar,
          extraJars,
          places,
          yaml,
          jvmOptions,
          snitch,
          environment,
          ports,
          placement,
          engines,
          layout);
    }
  }
}
