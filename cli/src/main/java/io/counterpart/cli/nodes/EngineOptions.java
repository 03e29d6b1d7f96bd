package io.counterpart.cli.nodes;

import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a new heterogeneous cluster; a part of {@link ShapeOptions}. */
final class EngineOptions {

  /** Options of {@link ShapeOptions} whose values follow from those here. */
  static final List<String> EXCLUDED =
      List.of("--nodes", "--dcs", "--racks", "--placement", "--engine", "--stock", "--rf");

  @Option(
      names = "--servers",
      paramLabel = "S",
      description =
          "With --engines: servers, each with a node of every class; on loopback a number.")
  private @Nullable Integer servers;

  @Option(
      names = "--engines",
      paramLabel = "CLASS=ENGINE,…",
      description = {
        "Heterogeneous cluster: engine of the nodes of each class, for tables WITH memtable ="
            + " 'engine'. Classes: write, read, memory. Engines: lsm (Cassandra's own), lmdb, memory,"
            + " volatile (memory without a copy on disk), sql, redis, those of modules beside these"
            + " and of --engine-jar. A node's rack is its class."
      })
  private @Nullable String engines;

  @Option(
      names = "--quorum",
      paramLabel = "N,W,R",
      description =
          "With --engines: copies, and how many of them writes and reads wait for, W + R > N: N - R"
              + " copies are on write nodes, N - W on read nodes, W + R - N on memory nodes (default:"
              + " one copy of each class, with three classes 3,2,2).")
  private @Nullable String quorum;

  /** Whether a heterogeneous cluster is asked for. */
  boolean isGiven() {
    return servers != null || engines != null || quorum != null;
  }

  /**
   * Servers.
   *
   * @throws IllegalArgumentException if the option is missing or below 1
   */
  int servers() {
    if (servers == null || servers < 1) {
      throw new IllegalArgumentException(
          "--servers is %s, legal: 1 and above, together with --engines"
              .formatted(servers == null ? "missing" : servers));
    }
    return servers;
  }

  /**
   * Engines and quotas.
   *
   * @param further engines that are not of this build
   * @throws IllegalArgumentException with the option, its value and what is legal
   */
  EngineLayout layout(FurtherEngines further) {
    Map<EngineClass, String> byClass = byClass();
    if (byClass.size() == 1 && quorum == null) {
      throw new IllegalArgumentException(
          ("--engines has class %s alone, legal: CLASS=ENGINE of two classes or three, such as"
                  + " write=lsm,read=lmdb,memory=memory; nodes that are all equal: up --nodes N"
                  + " --engine NAME")
              .formatted(byClass.keySet().iterator().next()));
    }
    byClass.forEach(
        (engine, name) ->
            further.require("--engines: engine of class " + engine, name, EngineLayout.ENGINES));
    EngineQuotas quotas = quorum == null ? oneEach(byClass) : quotas(quorum);
    try {
      return new EngineLayout(byClass, quotas);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--engines: " + e.getMessage(), e);
    }
  }

  private Map<EngineClass, String> byClass() {
    if (engines == null) {
      throw new IllegalArgumentException(
          "--engines is missing, legal: CLASS=ENGINE,… together with --servers");
    }
    Map<EngineClass, String> byClass = new EnumMap<>(EngineClass.class);
    for (String pair : engines.split(",", -1)) {
      String[] parts = pair.split("=", -1);
      Optional<EngineClass> engine = EngineClass.named(parts[0]);
      if (parts.length != 2 || engine.isEmpty()) {
        throw new IllegalArgumentException(
            "--engines has '%s', legal: CLASS=ENGINE, where CLASS is one of %s"
                .formatted(pair, EngineClass.NAMES));
      }
      if (byClass.put(engine.get(), parts[1]) != null) {
        throw new IllegalArgumentException("--engines names class " + parts[0] + " twice");
      }
    }
    return byClass;
  }

  private static EngineQuotas oneEach(Map<EngineClass, String> byClass) {
    return new EngineQuotas(
        byClass.containsKey(EngineClass.WRITE) ? 1 : 0,
        byClass.containsKey(EngineClass.READ) ? 1 : 0,
        byClass.containsKey(EngineClass.MEMORY) ? 1 : 0);
  }

  private static EngineQuotas quotas(String quorum) {
    if (!quorum.matches("\\d{1,3},\\d{1,3},\\d{1,3}")) {
      throw new IllegalArgumentException(
          "--quorum is '%s', legal: N,W,R such as 3,2,2".formatted(quorum));
    }
    List<Integer> parts = Arrays.stream(quorum.split(",")).map(Integer::valueOf).toList();
    try {
      return EngineQuotas.of(parts.get(0), parts.get(1), parts.get(2));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--quorum: " + e.getMessage(), e);
    }
  }

  /**
   * The heap of a node.
   *
   * @param server megabytes of a server's nodes together; null for the default
   */
  static int nodeHeap(@Nullable Integer server, int nodesOfServer) {
    int least = ShapeOptions.LEAST_HEAP * nodesOfServer;
    int heap = server == null ? Math.max(ShapeOptions.DEFAULT_HEAP, least) : server;
    if (heap < least) {
      throw new IllegalArgumentException(
          "--heap is %d, legal: %d and above, %d for each of a server's %d nodes"
              .formatted(heap, least, ShapeOptions.LEAST_HEAP, nodesOfServer));
    }
    return heap / nodesOfServer;
  }
}
