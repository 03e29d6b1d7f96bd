package io.counterpart.lab.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives the part of a node's work from a thread's name and stack. Class names are those of
 * Cassandra 5.0. Stateless.
 *
 * <p>Dedicated threads (flush, compaction, commit log) are classified by name. All others serve
 * requests; a worker changes its name with every stage, and recordings may have an older name, so
 * only frames count there: from the innermost outwards the first that belongs to a part decides.
 * Frames that serve several parts, such as file buffers, decompression and the decoding of rows,
 * belong to none: a buffer filled for the index is index, one filled for a row is data.
 */
final class PartClassifier {
  private static final String PLUGIN = "io.counterpart.cassandra.compaction.";
  private static final String CASSANDRA = "org.apache.cassandra.";
  // a store finds a row by its key alone: there is no index of its own to tell from its data
  private static final List<String> STORES =
      List.of("io.counterpart.engine.", "io.counterpart.cassandra.engine.store.", "org.lmdbjava.");

  private static final Map<String, Part> THREADS = threads();
  private static final Map<String, Part> FRAMES = frames();

  /** Native methods in which a thread waits for others to want something. */
  private static final List<String> IDLE =
      List.of(
          "io.netty.channel.epoll.Native.epollWait",
          "io.netty.channel.epoll.Native.epollBusyWait",
          "sun.nio.ch.EPoll.wait",
          "sun.nio.ch.Net.poll",
          "sun.nio.ch.Net.accept",
          "sun.nio.ch.SocketDispatcher.read0",
          "sun.nio.fs.LinuxWatchService.poll",
          "java.net.PlainSocketImpl.socketAccept",
          "java.net.SocketInputStream.socketRead0",
          "java.lang.ProcessHandleImpl.waitForProcessExit0",
          "java.lang.ref.Reference.waitForReferencePendingList",
          "jdk.internal.misc.Unsafe.park",
          "java.lang.Object.wait",
          "java.lang.Thread.sleep");

  private PartClassifier() {}

  /**
   * The part that a thread is busy with; absent if it waits for work.
   *
   * @param thread the thread's name
   * @param frames class and method of each frame, the innermost first
   */
  static Optional<Part> classify(String thread, List<String> frames) {
    if (!frames.isEmpty() && IDLE.stream().anyMatch(frames.get(0)::startsWith)) {
      return Optional.empty();
    }
    Part own = startOf(thread, THREADS);
    if (own == null) {
      return Optional.of(
          frames.stream()
              .flatMap(frame -> Optional.ofNullable(startOf(frame, FRAMES)).stream())
              .findFirst()
              .orElse(Part.OTHER));
    }
    boolean byRole =
        own == Part.COMPACTION && frames.stream().anyMatch(frame -> frame.startsWith(PLUGIN));
    return Optional.of(byRole ? Part.ALIGN : own);
  }

  private static @Nullable Part startOf(String name, Map<String, Part> parts) {
    for (Map.Entry<String, Part> part : parts.entrySet()) {
      if (name.startsWith(part.getKey())) {
        return part.getValue();
      }
    }
    return null;
  }

  private static Map<String, Part> threads() {
    Map<String, Part> threads = new LinkedHashMap<>();
    threads.put("CompactionExecutor", Part.COMPACTION);
    // deletes the inputs of compactions
    threads.put("NonPeriodicTasks", Part.COMPACTION);
    threads.put("MemtableFlushWriter", Part.FLUSH);
    threads.put("PerDiskMemtableFlushWriter", Part.FLUSH);
    threads.put("MemtablePostFlush", Part.FLUSH);
    threads.put("MemtableReclaimMemory", Part.FLUSH);
    threads.put("COMMIT-LOG-", Part.COMMIT_LOG);
    threads.put("PERIODIC-COMMIT-LOG-", Part.COMMIT_LOG);
    threads.put("GROUP-COMMIT-LOG-", Part.COMMIT_LOG);
    for (String own : List.of("Gossip", "Scheduled", "BatchlogTasks", "RMI TCP Connection")) {
      threads.put(own, Part.OTHER);
    }
    return Collections.unmodifiableMap(threads);
  }

  private static Map<String, Part> frames() {
    Map<String, Part> frames = new LinkedHashMap<>();
    put(frames, Part.COMMIT_LOG, "db.commitlog.");
    put(frames, Part.FLUSH, "db.memtable.Flushing");
    put(frames, Part.COMPACTION, "db.compaction.CompactionTask");
    put(
        frames,
        Part.MEMTABLE,
        "db.memtable.",
        "db.tries.",
        "db.ColumnFamilyStore.apply",
        "db.partitions.AtomicBTreePartition",
        "db.partitions.BTreePartitionUpdater",
        "utils.memory.Memtable",
        "utils.memory.Native",
        "utils.memory.Slab");
    put(
        frames,
        Part.CACHE,
        "cache.InstrumentingCache",
        "cache.CaffeineCache",
        "cache.KeyCacheKey",
        "cache.RowCacheKey",
        "cache.SerializingCache",
        "io.sstable.keycache.");
    put(
        frames,
        Part.INDEX,
        "utils.BloomFilter",
        "utils.IntervalTree",
        "db.lifecycle.View",
        "db.lifecycle.SSTableIntervalTree",
        "io.sstable.filter.",
        "io.sstable.indexsummary.",
        "io.sstable.IndexInfo",
        "io.sstable.format.SSTableReader.getPosition",
        "io.sstable.format.SSTableReaderWithFilter",
        "io.sstable.format.big.BigTableReader",
        "io.sstable.format.big.RowIndexEntry",
        "io.sstable.format.big.IndexState",
        "io.sstable.format.bti.",
        "io.tries.");
    put(
        frames,
        Part.DATA,
        "io.sstable.AbstractSSTableIterator",
        "io.sstable.SSTableSimpleIterator",
        "io.sstable.SSTableIdentityIterator",
        "io.sstable.format.",
        "db.UnfilteredDeserializer");
    put(
        frames,
        Part.ROW_MERGE,
        "utils.MergeIterator",
        "db.rows.UnfilteredRowIterators",
        "db.rows.Rows",
        "db.rows.Row$Merger",
        "db.transform.",
        "db.SinglePartitionReadCommand.query",
        "service.reads.DataResolver",
        "service.reads.DigestResolver");
    put(frames, Part.MESSAGES, "net.", "transport.", "cql3.", "service.", "locator.");
    STORES.forEach(start -> frames.put(start, Part.DATA));
    frames.put("io.netty.", Part.MESSAGES);
    return Collections.unmodifiableMap(frames);
  }

  private static void put(Map<String, Part> frames, Part part, String... starts) {
    for (String start : starts) {
      frames.put(CASSANDRA + start, part);
    }
  }
}
