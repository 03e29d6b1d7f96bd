package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.MemtableConfigurations;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One way to store the same table; arms differ in nothing else.
 *
 * @param name stable name, also the table's keyspace prefix
 * @param compaction options of {@code WITH compaction}, "class" first
 * @param compression options of {@code WITH compression}, "class" first
 * @param memtable configuration of its memtables: {@value #STOCK_MEMTABLE}, the name of a storage
 *     engine, {@link MemtableConfigurations#direct} of one, or {@link
 *     MemtableConfigurations#ENGINE} for that of each node's class
 * @param cachesRows whether nodes that have a row cache cache its rows
 */
public record Arm(
    String name,
    Map<String, String> compaction,
    Map<String, String> compression,
    String memtable,
    boolean cachesRows) {

  /** Decoupled replicas, primary copies in a levelled (L10) tree. */
  public static final String DECOUPLED_L10 = "decoupled";

  /** Decoupled replicas, primary copies in a tiered (T4) tree. */
  public static final String DECOUPLED_T4 = "decoupled_t4";

  /** Stock LeveledCompactionStrategy, the paper's baseline. */
  public static final String LCS = "lcs";

  /** Stock UnifiedCompactionStrategy, tiered with fanout 4 (its default). */
  public static final String UCS_T4 = "ucs_t4";

  /** Stock UnifiedCompactionStrategy, levelled with fanout 10. */
  public static final String UCS_L10 = "ucs_l10";

  /** Stock UnifiedCompactionStrategy, neither tiered nor levelled (fanout 2). */
  public static final String UCS_N = "ucs_n";

  /** Stock SizeTieredCompactionStrategy. */
  public static final String STCS = "stcs";

  /** One LSM-tree per replica index: the paper's naive baseline (DEPART §3.2). */
  public static final String MLSM = "mlsm";

  /** Decoupled replicas with small chunks for primary copies and strong compression for others. */
  public static final String FORMATS = "decoupled_formats";

  /** UCS T4 with the chunks that {@link #FORMATS} has for primary copies. */
  public static final String UCS_T4_4K = "ucs_t4_4k";

  /** UCS T4 with the compressor of {@link #FORMATS}, in chunks of the usual length. */
  public static final String UCS_T4_ZSTD = "ucs_t4_zstd";

  /** One sstable for each flush, for good: the rows of a read may lie in all of them. */
  public static final String UNCOMPACTED = "uncompacted";

  /** The storage engine LMDB; writes reach it at a flush. */
  public static final String LMDB = "lmdb";

  /** Decoupled replicas, primary copies in LMDB. */
  public static final String BY_RANK = "by_rank";

  /** UCS T4 whose rows nodes cache, if they have a row cache. */
  public static final String UCS_T4_ROWS = "ucs_t4_rows";

  /** A table whose copies have the engines of their nodes' classes. */
  public static final String HETEROGENEOUS = "heterogeneous";

  /** The same where each server has a node of one class alone. */
  public static final String CLASS_PER_SERVER = "class_per_server";

  /** Storage engines by the names of their memtable configurations, which are their arms' too. */
  public static final List<String> ENGINES = List.of(LMDB, "sql", "redis", "memory");

  /** The same whose writes reach them before they are acknowledged, as the paper's do. */
  public static final List<String> DIRECT_ENGINES =
      Stream.of(LMDB, "sql", "redis").map(MemtableConfigurations::direct).toList();

  static final String LZ4 = "LZ4Compressor";
  static final int USUAL_CHUNK_KIB = 16;

  private static final List<String> OF_CLASSES = List.of(LMDB, "memory");
  private static final String STOCK_MEMTABLE = "default";
  private static final String MIN_RUN_SIZE = CompactionOptions.MIN_RUN_SIZE;
  private static final String NO_MIN_RUN_SIZE = "0";
  // five nodes with 48 groups each are divided at 40 % of the rows, and at most at the default
  private static final int ROWS_PER_KIBIBYTE = 200;
  private static final int MAX_RUN_KIBIBYTES = 4096;

  /**
   * Decoupled replicas of another ordering degree, each flush split by itself: at a model's scale
   * there would else be a handful of runs for any S to bound (DEPART Table 1).
   *
   * @param runs S: 1 or more, or "unlimited"
   */
  public static Arm decoupledRuns(String runs) {
    Map<String, String> compaction = new LinkedHashMap<>(CompactionOptions.decoupled("T4"));
    compaction.put("runs", runs);
    compaction.put("split_segments", "1");
    compaction.put(MIN_RUN_SIZE, NO_MIN_RUN_SIZE);
    return new Arm("decoupled_s" + runs, compaction);
  }

  /** Keeps the options' order. */
  public Arm {
    compaction = Collections.unmodifiableMap(new LinkedHashMap<>(compaction));
    compression = Collections.unmodifiableMap(new LinkedHashMap<>(compression));
  }

  /** An arm with the usual compression: LZ4 in chunks of 16 KiB, Cassandra's default. */
  public Arm(String name, Map<String, String> compaction) {
    this(
        name,
        compaction,
        CompactionOptions.compression(LZ4, USUAL_CHUNK_KIB),
        STOCK_MEMTABLE,
        false);
  }

  /** The arms of the decoupling bench, in the order of its report. */
  public static List<Arm> all() {
    return KnownArms.OF_BENCH;
  }

  /** The bench's arm of a name. */
  public static Optional<Arm> named(String name) {
    return KnownArms.named(name, KnownArms.OF_BENCH);
  }

  /**
   * The arm of a name, {@code decoupled_sN} for any ordering degree N among them.
   *
   * @throws IllegalArgumentException naming the legal ones
   */
  public static Arm known(String name) {
    return KnownArms.named(name, KnownArms.ALL)
        .or(() -> KnownArms.ofDegree(name))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "arm '%s': must be one of %s, or decoupled_sN with a number or unlimited for N"
                        .formatted(
                            name,
                            KnownArms.ALL.stream()
                                .map(Arm::name)
                                .collect(Collectors.joining(", ")))));
  }

  /** Whether the arm needs the plugin. */
  public boolean needsPlugin() {
    return CompactionOptions.DECOUPLED.equals(strategy()) || engine().isPresent();
  }

  /** The storage engine that keeps the table; empty where sstables do. */
  public Optional<String> engine() {
    return memtable.equals(STOCK_MEMTABLE)
        ? Optional.empty()
        : Optional.of(MemtableConfigurations.engineOf(memtable));
  }

  /** Storage engines that its nodes need beside Cassandra's own. */
  public List<String> engines() {
    return isHeterogeneous() ? OF_CLASSES : engine().stream().toList();
  }

  /** Whether its copies have the engines of their nodes' classes. */
  public boolean isHeterogeneous() {
    return memtable.equals(MemtableConfigurations.ENGINE);
  }

  /** Name of the compaction strategy's class. */
  public String strategy() {
    return Objects.requireNonNull(compaction.get("class"));
  }

  /**
   * The arm of a table of so many rows on the usual cluster. Its runs are as small as the table: a
   * decoupled table with less than {@code min_run_size} a group is not divided, and so would be no
   * model of one that is worth it.
   *
   * @param rows of the table when it is first measured
   */
  public Arm forRows(int rows) {
    String size = compaction.get(MIN_RUN_SIZE);
    if (size == null || size.equals(NO_MIN_RUN_SIZE)) {
      return this;
    }
    int kibibytes = Math.max(1, Math.min(rows / ROWS_PER_KIBIBYTE, MAX_RUN_KIBIBYTES));
    Map<String, String> scaled = new LinkedHashMap<>(compaction);
    scaled.put(MIN_RUN_SIZE, kibibytes + "KiB");
    return new Arm(name, scaled, compression, memtable, cachesRows);
  }

  /** The options in which arms differ, as CQL behind {@code WITH}. */
  public String cql() {
    String stock =
        "compaction = %s AND compression = %s%s"
            .formatted(
                CompactionOptions.cql(compaction),
                CompactionOptions.cql(compression),
                cachesRows ? " AND caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}" : "");
    return engine().isEmpty() ? stock : stock + " AND memtable = '" + memtable + "'";
  }

  Arm compressed(String compressor, int chunkKib) {
    return new Arm(
        name,
        compaction,
        CompactionOptions.compression(compressor, chunkKib),
        memtable,
        cachesRows);
  }

  Arm on(String configuration) {
    return new Arm(name, compaction, compression, configuration, cachesRows);
  }

  Arm cachingRows() {
    return new Arm(name, compaction, compression, memtable, true);
  }
}
