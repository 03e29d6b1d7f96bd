package io.counterpart.lab.remote.advice;

import io.counterpart.core.engine.advice.Load;
import io.counterpart.core.engine.advice.Storage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all nodes counted in a window of time, and the engines at its end.
 *
 * @param nodes of all nodes
 */
record WorkloadReading(List<NodeWindow> nodes) {

  /**
   * One node.
   *
   * @param seconds length of its window, above 0
   * @param counters of the window
   * @param end its last reading
   */
  record NodeWindow(double seconds, Map<String, TableCounters> counters, NodeReading end) {}

  /** Whether a node has a table of that name. */
  boolean knows(String table) {
    return nodes.stream().anyMatch(node -> node.counters().containsKey(table));
  }

  Load load(String table) {
    double reads = 0;
    double writes = 0;
    double scans = 0;
    double clientReads = 0;
    long micros = 0;
    long operations = 0;
    long timed = 0;
    for (NodeWindow node : nodes) {
      TableCounters counted = node.counters().getOrDefault(table, TableCounters.NONE);
      reads += counted.reads() / node.seconds();
      writes += counted.writes() / node.seconds();
      scans += counted.scans() / node.seconds();
      clientReads += counted.clientReads() / node.seconds();
      operations += counted.operations();
      micros += counted.readMicros();
      timed += counted.readMicros() > 0 ? counted.reads() : 0;
    }
    return new Load(
        reads,
        writes,
        scans,
        clientReads,
        operations,
        timed == 0 ? Double.NaN : micros / 1e3 / timed);
  }

  /** On the node that has most. */
  long nodeBytes(String table) {
    long most = 0;
    for (NodeWindow node : nodes) {
      NodeReading.Store store = node.end().stores().get(table);
      most =
          Math.max(
              most,
              node.end().sstableBytes().getOrDefault(table, 0L)
                  + (store == null ? 0 : store.usedBytes()));
    }
    return most;
  }

  /** Of the nodes that count hits, the mean. */
  double hitRatio(String table) {
    return nodes.stream()
        .map(node -> node.end().stores().get(table))
        .filter(store -> store != null && !Double.isNaN(store.hitRatio()))
        .mapToDouble(NodeReading.Store::hitRatio)
        .average()
        .orElse(Double.NaN);
  }

  /**
   * Where a table's flushes go.
   *
   * @param decoupled whether its compaction is decoupled
   */
  Storage storage(String table, boolean decoupled) {
    Set<String> engines = new HashSet<>();
    for (NodeWindow node : nodes) {
      NodeReading.Store store = node.end().stores().get(table);
      engines.add(store == null ? "" : store.engine());
    }
    if (engines.size() > 1) {
      return Storage.BY_NODE;
    }
    return switch (engines.iterator().next()) {
      case "" -> decoupled ? Storage.DECOUPLED : Storage.SSTABLES;
      case "lmdb" -> Storage.LMDB;
      case "memory" -> Storage.MEMORY;
      default -> Storage.SERVER;
    };
  }
}
