package io.counterpart.cassandra.options;

import io.counterpart.cassandra.format.CopyFormat;
import io.counterpart.core.runs.AdaptiveRuns;
import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.MergeAll;
import io.counterpart.core.runs.RunPolicy;
import io.counterpart.core.runs.Tiered;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.LeveledCompactionStrategy;
import org.apache.cassandra.db.compaction.UnifiedCompactionStrategy;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The checked options of one table.
 *
 * @param mode the mapping of copies to structures
 * @param engine what keeps the primary copies
 * @param engineOptions options of the strategy of its LSM-trees: the ones with the prefix {@code
 *     primary.} and the ones common to all strategies
 * @param runPolicy S and the merge policy
 * @param adaptiveRuns bounds within which S follows each group's reads and writes; null for a fixed
 *     S
 * @param splitTime the time at which redundant copies are cut into groups
 * @param split the trigger of the split
 * @param primaryBatch the trigger of the primary batch
 * @param minRunBytes smallest run worth a file of its own
 * @param maxRangeGroups owned groups above which scattered arcs are joined to groups
 * @param sstableBytes size at which an output file is closed
 * @param redundantFormat the format of redundant copies
 */
public record DecoupledOptions(
    Mode mode,
    PrimaryEngine engine,
    Map<String, String> engineOptions,
    RunPolicy runPolicy,
    @Nullable AdaptiveRuns adaptiveRuns,
    SplitTime splitTime,
    BatchPolicy split,
    BatchPolicy primaryBatch,
    long minRunBytes,
    int maxRangeGroups,
    long sstableBytes,
    CopyFormat redundantFormat) {

  /** Prefix of options that are passed through to the LSM-tree's own strategy. */
  public static final String ENGINE_PREFIX = "primary.";

  private static final String LCS_SIZE = "sstable_size_in_mb";
  private static final String LCS_DEFAULT_SIZE = "160";
  private static final String UNLIMITED = "unlimited";
  private static final Duration NO_IDLE = Duration.ofDays(365);

  private static final Set<String> NAMES =
      Set.of(
          "mode",
          "primary",
          "runs",
          "run_policy",
          "adaptive_runs",
          "split",
          "split_segments",
          "max_segments",
          "split_idle",
          "primary_batch",
          "max_primary_batch",
          "min_run_size",
          "max_range_groups",
          "sstable_size",
          "redundant_compression",
          "redundant_chunk_length",
          "redundant_bloom_filter_fp_chance");

  /**
   * Cassandra adds these two to every strategy that understands them; a schema of an earlier
   * version may hold them.
   */
  public static final Set<String> THRESHOLDS = Set.of("min_threshold", "max_threshold");

  public DecoupledOptions {
    engineOptions = Map.copyOf(engineOptions);
  }

  /**
   * Parses and checks.
   *
   * @param raw the table's compaction options, with or without {@code class}
   * @throws ConfigurationException naming the option, its value and the legal range
   */
  public static DecoupledOptions parse(Map<String, String> raw) {
    rejectTransientReplication();
    rejectDuplicates(raw);
    Map<String, String> own = new HashMap<>();
    Map<String, String> common = new HashMap<>();
    Map<String, String> engine = new HashMap<>();
    raw.forEach(
        (name, value) -> {
          if (NAMES.contains(name)) {
            own.put(name, value);
          } else if (name.startsWith(ENGINE_PREFIX)) {
            engine.put(name.substring(ENGINE_PREFIX.length()), value);
          } else if (!THRESHOLDS.contains(name) && !name.equals("class")) {
            common.put(name, value);
          }
        });
    Map<String, String> unknown = AbstractCompactionStrategy.validateOptions(common);
    for (Map.Entry<String, String> option : unknown.entrySet()) {
      throw OptionReader.illegal(
          option.getKey(),
          option.getValue(),
          "one of "
              + new TreeSet<>(NAMES)
              + ", "
              + ENGINE_PREFIX
              + "<option of the primary strategy>");
    }
    OptionReader reader = new OptionReader(own);
    Mode mode = reader.choice("mode", Mode.class, Mode.DECOUPLED);
    PrimaryEngine primary = reader.choice("primary", PrimaryEngine.class, PrimaryEngine.UCS);
    if (primary == PrimaryEngine.ENGINE && mode != Mode.DECOUPLED) {
      throw OptionReader.illegal("primary", "engine", "engine in mode decoupled alone; ucs, lcs");
    }
    checkEngineOptions(primary, engine);
    engine.putAll(common);

    int splitSegments = reader.integer("split_segments", 20, 1, 1024);
    int maxSegments =
        reader.integer("max_segments", Math.max(64, 2 * splitSegments), splitSegments, 4096);
    int batch = reader.integer("primary_batch", 12, 1, 256);
    int maxBatch = reader.integer("max_primary_batch", Math.max(32, 2 * batch), batch, 1024);
    long minRunBytes = reader.bytes("min_run_size", 4L << 20, 0, 1L << 40);
    Duration idle = Duration.ofSeconds(reader.integer("split_idle", 60, 1, 30 * 24 * 3600));
    return new DecoupledOptions(
        mode,
        primary,
        engine,
        runPolicy(reader),
        adaptiveRuns(reader),
        reader.choice("split", SplitTime.class, SplitTime.AUTO),
        new BatchPolicy(splitSegments, maxSegments, minRunBytes, idle),
        // the engine takes in what is left when the table is quiet
        new BatchPolicy(
            batch, maxBatch, minRunBytes, primary == PrimaryEngine.ENGINE ? NO_IDLE : idle),
        minRunBytes,
        reader.integer("max_range_groups", 256, 1, 100_000),
        reader.bytes("sstable_size", 1L << 30, 1L << 20, 1L << 40),
        CopyFormatOptions.read(reader));
  }

  /** Whether primary copies are in the store of the table's memtable configuration. */
  public boolean storesPrimaries() {
    return engine == PrimaryEngine.ENGINE;
  }

  /** Size at which an output with primary copies is closed: LCS wants its own size, UCS any. */
  public long primarySstableBytes() {
    if (engine != PrimaryEngine.LCS) {
      return sstableBytes;
    }
    String megabytes = engineOptions.getOrDefault(LCS_SIZE, LCS_DEFAULT_SIZE);
    return Math.min(sstableBytes, Long.parseLong(megabytes) << 20);
  }

  private static RunPolicy runPolicy(OptionReader reader) {
    String runs = reader.text("runs", "20");
    int maxRuns =
        runs.equalsIgnoreCase(UNLIMITED)
            ? RunPolicy.UNLIMITED
            : reader.integer("runs", 20, 1, 1_000_000, "or '" + UNLIMITED + "'");
    String policy = reader.text("run_policy", "tiered");
    return switch (policy.toLowerCase(Locale.ROOT)) {
      case "tiered" -> new Tiered(maxRuns);
      case "merge_all" -> new MergeAll(maxRuns);
      default -> throw OptionReader.illegal("run_policy", policy, "tiered, merge_all");
    };
  }

  private static @Nullable AdaptiveRuns adaptiveRuns(OptionReader reader) {
    String bounds = reader.text("adaptive_runs", "off");
    if (bounds.equalsIgnoreCase("off")) {
      return null;
    }
    String[] parts = bounds.split("-", -1);
    try {
      if (parts.length == 2) {
        return new AdaptiveRuns(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
      }
    } catch (IllegalArgumentException e) {
      // reported below with the legal form
    }
    throw OptionReader.illegal(
        "adaptive_runs", bounds, "off, or least-most such as 2-40 with 1 ≤ least ≤ most");
  }

  private static void checkEngineOptions(PrimaryEngine engine, Map<String, String> options) {
    Map<String, String> unknown;
    try {
      unknown =
          switch (engine) {
            case UCS, ENGINE -> UnifiedCompactionStrategy.validateOptions(new HashMap<>(options));
            case LCS -> LeveledCompactionStrategy.validateOptions(new HashMap<>(options));
          };
    } catch (ConfigurationException e) {
      throw new ConfigurationException(
          "options with the prefix '"
              + ENGINE_PREFIX
              + "' for "
              + engine
              + ", "
              + new TreeMap<>(options)
              + ": "
              + e.getMessage(),
          e);
    }
    for (Map.Entry<String, String> option : unknown.entrySet()) {
      throw OptionReader.illegal(
          ENGINE_PREFIX + option.getKey(), option.getValue(), "an option of " + engine);
    }
  }

  private static void rejectDuplicates(Map<String, String> raw) {
    Map<String, String> seen = new HashMap<>();
    for (String name : new TreeSet<>(raw.keySet())) {
      String canonical = name.toLowerCase(Locale.ROOT);
      String plain =
          canonical.startsWith(ENGINE_PREFIX)
              ? canonical.substring(ENGINE_PREFIX.length())
              : canonical;
      String earlier = seen.put(NAMES.contains(plain) ? canonical : plain, name);
      if (earlier != null) {
        throw new ConfigurationException(
            "option '%s' = '%s' is given twice: also '%s' = '%s'; legal: once"
                .formatted(name, raw.get(name), earlier, raw.get(earlier)));
      }
    }
  }

  private static void rejectTransientReplication() {
    if (DatabaseDescriptor.isTransientReplicationEnabled()) {
      throw new ConfigurationException(
          "transient_replication_enabled is 'true' on this node; DecoupledCompactionStrategy needs"
              + " full replicas, legal: false");
    }
  }
}
