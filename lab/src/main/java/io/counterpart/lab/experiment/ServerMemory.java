package io.counterpart.lab.experiment;

import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.setup.ServerShape;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of a server in {@link HeterogeneousExperiment}, MiB, in the paper's proportions.
 *
 * <p>A server of the paper has 8 GB, of which 6 are given to storage, for 8.8 GB of a stock node's
 * data. About 1.5 GB are page cache, as 0.5 are the system's. So D of data on a server have 1.5 ÷
 * 8.8 · D of page cache anyway. Of the 6 GB the memory node and the read node have 2 GB each: 2 ÷
 * 8.8 · D for entries, and as much for a buffer pool. Here an LMDB node's buffer pool is page
 * cache, and the engine {@code memory} takes a quarter of its node's heap, which cannot be smaller
 * than a node needs: what it takes too much, page cache has less.
 *
 * <p>Worked: 200,000 rows of 1 KiB on each of three servers are D = 195. Memory for data is 5.5 ÷
 * 8.8 · 195 = 122; the memory node has 72 of it in a heap of 288, page cache 50. A stock node has
 * 33 of page cache and 89 in heap or row cache.
 *
 * <p>Paper: MyCassandra §5, Table 3.
 *
 * @param dataMebibytes memory for data
 * @param stockCache page cache of a stock server
 * @param classHeap heap of each node of a heterogeneous server
 */
record ServerMemory(int dataMebibytes, int stockCache, int classHeap) {
  private static final double PAPER_DATA = 8.8;
  private static final double PAPER_PAGE_CACHE = 1.5;
  private static final double PAPER_ENGINE = 2;
  private static final int PAIR_BYTES = 1024;
  private static final int LEAST_HEAP = 288;
  private static final int MEMORY_SHARE = ServerShape.MEMORY_SHARE;
  // code, metaspace, buffers and threads of a node beside its heap, as measured
  private static final int BESIDE_HEAP = 290;
  private static final int CLASSES = 3;
  private static final int KEY_CACHE_MEBIBYTES = 16;
  private static final int FILE_CACHE_MEBIBYTES = 64;
  // as small against the data as memtables are in the lab's other experiments
  private static final int MEMTABLE_MEBIBYTES = 8;
  private static final int MEMTABLE_HEAP_MEBIBYTES = 32;
  private static final int READ_THREADS = 16;

  /**
   * @param rows on each server
   */
  static ServerMemory of(int rows) {
    double data = (double) rows * PAIR_BYTES / (1 << 20);
    int stockCache = share(data, PAPER_PAGE_CACHE);
    int all = Math.max(share(data, PAPER_PAGE_CACHE + 2 * PAPER_ENGINE), leastData());
    int heap = Math.max(LEAST_HEAP, MEMORY_SHARE * (int) (data * PAPER_ENGINE / PAPER_DATA));
    return new ServerMemory(all, stockCache, heap);
  }

  private static int share(double data, double ofPaper) {
    return Math.max(Regime.LEAST_CACHE_MEBIBYTES, (int) Math.round(data * ofPaper / PAPER_DATA));
  }

  private static int leastData() {
    return LEAST_HEAP / MEMORY_SHARE + Regime.LEAST_CACHE_MEBIBYTES;
  }

  /** Page cache of a heterogeneous server. */
  int classCache() {
    return Math.max(Regime.LEAST_CACHE_MEBIBYTES, dataMebibytes - classHeap / MEMORY_SHARE);
  }

  /**
   * Heap of a node that has a server to itself, where each server has a node of one class. That of
   * class memory has all of its server's memory for data but the least page cache for entries. The
   * processes hold less than those of other servers.
   */
  int spreadHeap() {
    return MEMORY_SHARE * (dataMebibytes - Regime.LEAST_CACHE_MEBIBYTES);
  }

  /** Memory for data of a stock server that is not page cache. */
  int rowCache() {
    return dataMebibytes - stockCache;
  }

  /** Heap of a stock node beside a row cache: its process holds what those of three nodes hold. */
  int stockHeap() {
    return processes() - BESIDE_HEAP - stockCache - rowCache();
  }

  /** Heap of a node whose table has a B+tree. */
  int treeHeap() {
    return processes() - BESIDE_HEAP - dataMebibytes;
  }

  /** All memory of a heterogeneous server. */
  private int processes() {
    return CLASSES * (classHeap + BESIDE_HEAP) + classCache();
  }

  /** The settings of a stock node. */
  Map<String, Object> stockSettings() {
    Map<String, Object> settings = new LinkedHashMap<>(nodeSettings(1));
    settings.put("row_cache_size", rowCache() + "MiB");
    return settings;
  }

  /**
   * The settings of each node of a server, which share what one node has otherwise.
   *
   * @param nodes of the server, 1 or 3
   */
  Map<String, Object> nodeSettings(int nodes) {
    int times = CLASSES / nodes;
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("memtable_offheap_space", times * MEMTABLE_MEBIBYTES + "MiB");
    settings.put("memtable_heap_space", times * MEMTABLE_HEAP_MEBIBYTES + "MiB");
    settings.put("key_cache_size", KEY_CACHE_MEBIBYTES / nodes + "MiB");
    settings.put("file_cache_size", FILE_CACHE_MEBIBYTES / nodes + "MiB");
    settings.put("concurrent_reads", times * READ_THREADS);
    settings.put("native_transport_max_threads", times * READ_THREADS);
    return settings;
  }
}
