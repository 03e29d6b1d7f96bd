package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.EngineLayout;
import io.counterpart.cluster.layout.Ports;
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
 * @param heapMegabytes heap of each node
 * @param layout classes and engines of the nodes, one of each class; null for servers of one node
 * @param settings of cassandra.yaml beside the lab's own, or instead of them
 * @param jvmOptions beside the lab's own
 */
public record ServerShape(
    String name,
    int place,
    int heapMegabytes,
    @Nullable EngineLayout layout,
    Map<String, Object> settings,
    List<String> jvmOptions) {
  /** A node on a server of its own, of the lab's usual size. */
  public static final ServerShape USUAL =
      new ServerShape("", 0, LabCluster.HEAP_MEGABYTES, null, Map.of(), List.of());

  private static final int MOST_PLACES = 10;
  private static final int PORTS = 20;
  private static final int JMX_PORTS = 40;

  /** Checks the place, and keeps the settings' order. */
  public ServerShape {
    if (place < 0 || place >= MOST_PLACES) {
      throw new IllegalArgumentException(
          "place %d: must be 0 to %d".formatted(place, MOST_PLACES - 1));
    }
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Servers of one node. */
  public static ServerShape ofOneNode(
      String name, int place, int heapMegabytes, Map<String, Object> settings) {
    return new ServerShape(name, place, heapMegabytes, null, settings, List.of());
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

  /** Nodes of a server. */
  public int nodes() {
    return layout == null ? 1 : layout.engines().size();
  }

  /** The server of a node, both from 1 on. */
  public int serverOf(int node) {
    return (node - 1) / nodes() + 1;
  }

  /** Whether each node's engine is that of its class. */
  public boolean isHeterogeneous() {
    return layout != null;
  }

  /** For people: "3 nodes of 320 MB heap each: {write=lsm, read=lmdb, memory=memory}". */
  public String describe() {
    return "%d node%s of %d MB heap%s%s"
        .formatted(
            nodes(),
            nodes() == 1 ? "" : "s",
            heapMegabytes,
            layout == null ? "" : " each: " + layout.engines(),
            settings.isEmpty() ? "" : "; " + settings);
  }
}
