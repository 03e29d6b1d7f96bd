package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.ObservedNode;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.lab.result.NodeCost;
import java.time.Duration;
import java.util.Map;

/**
 * Counters of all nodes at one moment; the difference of two readings is the cost of the time
 * between.
 *
 * @param table counters of the table that is worked on
 * @param diskReadBytes bytes read from the disk by the server processes; {@link
 *     NodeCost#NOT_MEASURED} where the processes cannot be looked at
 * @param diskWrittenBytes see {@link DiskWrites}
 * @param gcMillis time in collections
 * @param reads reads of the table by sstables merged
 * @param roleBytes {@link RoleBytes}
 * @param keyCacheRequests lookups in the key cache, all tables together
 * @param keyCacheHits those that found their key
 */
public record NodeReading(
    TableCost table,
    long diskReadBytes,
    long diskWrittenBytes,
    long gcMillis,
    SstablesPerRead reads,
    Map<String, Long> roleBytes,
    long keyCacheRequests,
    long keyCacheHits) {
  private static final String KEY_CACHE =
      "org.apache.cassandra.metrics:type=Cache,scope=KeyCache,name=";
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  /** Reads all counters now. */
  public static NodeReading of(TableProbe probe) {
    boolean local = probe.nodes().areLocal();
    long read = local ? 0 : NodeCost.NOT_MEASURED;
    long written = local ? DiskWrites.of(probe.nodes().local()) : NodeCost.NOT_MEASURED;
    for (Node node : probe.nodes().local()) {
      read += node.diskReadBytes();
    }
    long gcMillis = 0;
    long requests = 0;
    long hits = 0;
    for (ObservedNode node : probe.nodes().nodes()) {
      NodeJmx jmx = probe.nodes().jmx(node);
      gcMillis += jmx.sum("java.lang:type=GarbageCollector,name=*", "CollectionTime");
      requests += jmx.sum(KEY_CACHE + "Requests", "Count");
      hits += jmx.sum(KEY_CACHE + "Hits", "Count");
    }
    return new NodeReading(
        probe.counters(),
        read,
        written,
        gcMillis,
        probe.sstablesPerRead(),
        RoleBytes.of(probe.nodes(), probe.table()),
        requests,
        hits);
  }

  /** The cost of what happened since an earlier reading. */
  public NodeCost since(NodeReading earlier) {
    TableCost grown = table.since(earlier.table);
    Duration cpu = grown.cpu();
    long lookups = keyCacheRequests - earlier.keyCacheRequests;
    return new NodeCost(
        cpu.toNanos() / NANOS,
        grown(diskReadBytes, earlier.diskReadBytes),
        grown(diskWrittenBytes, earlier.diskWrittenBytes),
        grown.bytesFlushed(),
        grown.bytesCompacted(),
        reads.since(earlier.reads).mean(),
        (gcMillis - earlier.gcMillis) / MILLIS,
        RoleBytes.since(roleBytes, earlier.roleBytes),
        lookups == 0 ? 0 : (double) (keyCacheHits - earlier.keyCacheHits) / lookups);
  }

  private static long grown(long now, long earlier) {
    return now == NodeCost.NOT_MEASURED || earlier == NodeCost.NOT_MEASURED
        ? NodeCost.NOT_MEASURED
        : now - earlier;
  }
}
