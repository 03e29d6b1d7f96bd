package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.core.placement.engine.EngineClass;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one server. Limits of memory and disk hold for all nodes of a server together.
 *
 * @param name stable name, empty for {@link #USUAL}; clusters of names of their own run side by
 *     side
 * @param place number of the cluster among those side by side, 0 to 9: its ports follow from it
 * @param nodes of each server: 1, or as many as the layout has classes
 * @param heapMegabytes heap of each node
 * @param layout classes and engines of the nodes, in turn; null for nodes of one engine
 * @param settings of cassandra.yaml beside the lab's own, or instead of them
 * @param jvmOptions beside the lab's own
 */
public record ServerShape(
    String name,
    int place,
    int nodes,
    int heapMegabytes,
    @Nullable EngineLayout layout,
    Map<String, Object> settings,
    List<String> jvmOptions) {
  /** A node on a server of its own, of the lab's usual size. */
  public static final ServerShape USUAL =
      new ServerShape("", 0, 1, LabCluster.HEAP_MEGABYTES, null, Map.of(), List.of());

  /** The engine {@code memory} has one part in so many of its node's heap for entries. */
  public static final int MEMORY_SHARE = 4;

  private static final int MOST_PLACES = 10;
  private static final int PORTS = 20;
  private static final int JMX_PORTS = 40;

  /** Checks the place and the nodes, and keeps the settings' order. */
  public ServerShape {
    if (place < 0 || place >= MOST_PLACES) {
      throw new IllegalArgumentException(
          "place %d: must be 0 to %d".formatted(place, MOST_PLACES - 1));
    }
    int classes = layout == null ? 1 : layout.engines().size();
    if (nodes != 1 && nodes != classes) {
      throw new IllegalArgumentException(
          "nodes of a server is %d: must be 1, or %d for one of each class"
              .formatted(nodes, classes));
    }
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Servers of one node. */
  public static ServerShape ofOneNode(
      String name, int place, int heapMegabytes, Map<String, Object> settings) {
    return new ServerShape(name, place, 1, heapMegabytes, null, settings, List.of());
  }

  /** The ports of a cluster of such servers. */
  Ports ports() {
    Ports usual = Ports.DEFAULT;
    return new Ports(
        usual.cql() + place * PORTS,
        usual.storage() + place * PORTS,
        usual.jmxBase() + place * JMX_PORTS);
  }

  /** Whether clusters of several shapes run at the same time, each block on one of them. */
  public boolean isSideBySide() {
    return !name.isEmpty();
  }

  /** Memory for data that a server's nodes have in their heaps, MiB: entries of a memory node. */
  public int entriesMebibytes(int server) {
    if (layout == null || !"memory".equals(layout.engines().get(EngineClass.MEMORY))) {
      return 0;
    }
    List<EngineClass> classes = List.copyOf(layout.engines().keySet());
    boolean hasOne = nodes > 1 || classes.get((server - 1) % classes.size()) == EngineClass.MEMORY;
    return hasOne ? heapMegabytes / MEMORY_SHARE : 0;
  }

  /** The server of a node, both from 1 on. */
  public int serverOf(int node) {
    return (node - 1) / nodes + 1;
  }

  /** Whether each node's engine is that of its class. */
  public boolean isHeterogeneous() {
    return layout != null;
  }

  /** For people: "3 nodes of 320 MB heap: {write=lsm, read=lmdb, memory=memory}". */
  public String describe() {
    return "%d node%s of %d MB heap%s%s"
        .formatted(
            nodes,
            nodes == 1 ? "" : "s",
            heapMegabytes,
            layout == null ? "" : ": " + layout.engines(),
            settings.isEmpty() ? "" : "; " + settings);
  }
}
