package io.counterpart.lab.measure;

import io.counterpart.cluster.Node;
import io.counterpart.cluster.ObservedNode;
import io.counterpart.lab.workload.TableRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Reads one table's metrics on every node over JMX and from its directories. Stateless and
 * thread-safe.
 */
public final class TableProbe {
  private final ConnectedNodes nodes;
  private final TableRef table;

  /** A probe of a table that exists on the given nodes. */
  public TableProbe(ConnectedNodes nodes, TableRef table) {
    this.nodes = nodes;
    this.table = table;
  }

  /** Bytes and CPU so far. */
  public TableCost counters() {
    long flushed = 0;
    Duration cpu = Duration.ZERO;
    for (ObservedNode node : nodes.nodes()) {
      flushed += metric(node, "BytesFlushed");
      cpu = cpu.plus(nodes.cpuTime(node));
    }
    return new TableCost(flushed, bytesCompacted(), cpu);
  }

  /** Reads by sstables merged, so far. */
  public SstablesPerRead sstablesPerRead() {
    String bean =
        "org.apache.cassandra.metrics:type=Table,keyspace=%s,scope=%s,name=SSTablesPerReadHistogram"
            .formatted(table.keyspace(), table.table());
    SstablesPerRead sum = SstablesPerRead.none();
    for (ObservedNode node : nodes.nodes()) {
      Object counts = nodes.jmx(node).invoke(bean, "values", new Object[0], new String[0]);
      sum = sum.plus(new SstablesPerRead((long[]) counts));
    }
    return sum;
  }

  /** What the table occupies on disk now. */
  public Footprint footprint() {
    long files =
        nodes.areLocal()
            ? nodes.local().stream().mapToLong(this::files).sum()
            : Footprint.NOT_MEASURED;
    return new Footprint(
        nodes.nodes().stream().mapToLong(this::liveBytes).sum(),
        sum("LiveSSTableCount"),
        files,
        sum("MemtableSwitchCount"));
  }

  /** Memory of the table's Bloom filters. */
  public long filterBytes() {
    return sum("BloomFilterOffHeapMemoryUsed");
  }

  /**
   * Reads of the table that nodes answered from their own copy so far, and their time.
   *
   * @param reads data and digests
   * @param micros time of all of them
   */
  public record LocalReads(long reads, long micros) {
    /** The reads since an earlier reading. */
    public LocalReads since(LocalReads earlier) {
      return new LocalReads(reads - earlier.reads, micros - earlier.micros);
    }
  }

  /** Reads so far. */
  public LocalReads localReads() {
    return new LocalReads(sum("ReadLatency"), sum("ReadTotalLatency"));
  }

  /** Whether a node holds nothing of the table, on disk or in memory. */
  public boolean isEmptyOn(Node node) {
    return metric(node, "LiveSSTableCount") == 0
        && metric(node, "MemtableColumnsCount") == 0
        && liveBytes(node) == 0;
  }

  /**
   * What the table occupies on one node's disk: sstables, and the stores of engines where the
   * node's files can be looked at.
   */
  public long liveBytes(ObservedNode node) {
    long stores = node instanceof Node local ? StoreFiles.bytes(local.dataDirectory(), table) : 0;
    return metric(node, "LiveDiskSpaceUsed") + stores;
  }

  /** Flushes the table on all nodes at once; returns when its memtables are on disk. */
  public void flush() {
    // a thread for each node: flushes wait for disks, not for processors
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      CompletableFuture.allOf(
              nodes.nodes().stream()
                  .map(node -> CompletableFuture.runAsync(() -> flush(node), threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      threads.shutdown();
    }
  }

  private void flush(ObservedNode node) {
    nodes
        .jmx(node)
        .invoke(
            "org.apache.cassandra.db:type=StorageService",
            "forceKeyspaceFlush",
            new Object[] {table.keyspace(), new String[] {table.table()}},
            new String[] {String.class.getName(), String[].class.getName()});
  }

  /** Compactions that the table's strategy still wants, on all nodes. */
  long pendingCompactions() {
    return sum("PendingCompactions");
  }

  /** Memtables of the table that are being flushed or wait for it, on all nodes. */
  long pendingFlushes() {
    return sum("PendingFlushes");
  }

  /** Bytes that compactions of the table wrote so far, on all nodes. */
  long bytesCompacted() {
    return sum("CompactionBytesWritten");
  }

  /**
   * Compactions that run now on any node: of any table where the nodes are the lab's own; where
   * somebody else has tables too, which need never be quiet, those of this table's keyspace.
   */
  long activeCompactions() {
    return nodes.nodes().stream()
        .flatMap(
            node ->
                ((List<?>)
                        nodes
                            .jmx(node)
                            .attribute(
                                "org.apache.cassandra.db:type=CompactionManager", "Compactions"))
                    .stream())
        .filter(compaction -> nodes.areLocal() || isOfKeyspace(compaction))
        .count();
  }

  private boolean isOfKeyspace(Object compaction) {
    return table.keyspace().equals(((Map<?, ?>) compaction).get("keyspace"));
  }

  /** The nodes that it reads. */
  public ConnectedNodes nodes() {
    return nodes;
  }

  /** The table that it reads. */
  public TableRef table() {
    return table;
  }

  private long sum(String name) {
    return nodes.nodes().stream().mapToLong(node -> metric(node, name)).sum();
  }

  private long metric(ObservedNode node, String name) {
    return nodes.jmx(node).tableCounter(table.keyspace(), table.table(), name);
  }

  private long files(Node node) {
    Path keyspace = node.dataDirectory().resolve(table.keyspace());
    if (!Files.isDirectory(keyspace)) {
      return 0;
    }
    try (Stream<Path> found = Files.walk(keyspace, 2)) {
      return found
          .filter(Files::isRegularFile)
          .filter(file -> isOfTable(keyspace.relativize(file)))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + keyspace, e);
    }
  }

  // <table>-<id>/<file>: deeper paths are snapshots and backups
  private boolean isOfTable(Path file) {
    return file.getNameCount() == 2 && file.getName(0).toString().startsWith(table.table() + "-");
  }
}
