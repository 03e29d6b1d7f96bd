package io.counterpart.cli.simulate;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.simulator.Cluster;
import io.counterpart.core.simulator.Layout;
import io.counterpart.core.simulator.Simulation;
import io.counterpart.core.simulator.Storage;
import io.counterpart.core.simulator.Workload;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code counterpart simulate} and the model that they describe. */
final class SimulationOptions {
  @Option(
      names = "--keys",
      converter = KeyCount.class,
      defaultValue = "200M",
      description = "keys inserted, with suffix K, M or G; 1 to 1000G (default ${DEFAULT-VALUE})")
  long keys;

  @Option(
      names = "--updates",
      converter = KeyCount.class,
      defaultValue = "0",
      description = "zipfian updates after the inserts; 0 to 1000G (default ${DEFAULT-VALUE})")
  long updates;

  @Option(
      names = "--zipf",
      defaultValue = "0.99",
      description = "exponent of the updates; 0 (uniform) to below 1 (default ${DEFAULT-VALUE})")
  double zipf;

  @Option(
      names = "--value-size",
      converter = ByteCount.class,
      defaultValue = "1KiB",
      description = "bytes of one entry; 1 B to 1 GiB (default ${DEFAULT-VALUE})")
  long entryBytes;

  @Option(
      names = "--rf",
      defaultValue = "3",
      description = "replication factor; 1 to --nodes (default ${DEFAULT-VALUE})")
  int rf;

  @Option(
      names = "--nodes",
      defaultValue = "5",
      description = "nodes; 1 to 1000 (default ${DEFAULT-VALUE})")
  int nodes;

  @Option(
      names = "--tokens",
      defaultValue = "256",
      description = "tokens of a node; 1 to 1024 (default ${DEFAULT-VALUE})")
  int tokens;

  @Option(
      names = "--runs",
      converter = RunLimit.class,
      defaultValue = "20",
      description = "S, sorted runs of a range group; 1 and above, or unlimited (default 20)")
  int runs;

  @Option(
      names = "--preset",
      defaultValue = "paper",
      description =
          "paper or plugin: where the options below start from (default ${DEFAULT-VALUE})")
  Preset preset = Preset.PAPER;

  @Option(names = "--policy", description = "merge_all or tiered (paper: merge_all)")
  @Nullable Policy policy;

  @Option(names = "--primary", description = "lcs, ucs_t4 or ucs_l10 (paper: lcs)")
  Layout.@Nullable Tree primary;

  @Option(
      names = "--memtables",
      description = "own (one for each structure) or shared (paper: own)")
  Storage.@Nullable Memtables memtables;

  @Option(
      names = "--primary-batch",
      description = "primary flushes gathered before they enter the tree; 0 (none) to 1024")
  @Nullable Integer primaryBatch;

  @Option(
      names = "--min-run-size",
      converter = ByteCount.class,
      description =
          "splits and batches wait until outputs get this size, or for 64 segments and 32 primary"
              + " flushes (paper: 0)")
  @Nullable Long minRunBytes;

  @Option(
      names = "--split-segments",
      defaultValue = "20",
      description = "segments of a split; 1 to 1024 (default ${DEFAULT-VALUE})")
  int splitSegments;

  @Option(
      names = "--memtable",
      converter = ByteCount.class,
      defaultValue = "160MiB",
      description = "bytes of a flush; 64 KiB to 64 GiB (default ${DEFAULT-VALUE})")
  long memtableBytes;

  @Option(
      names = "--sstable",
      converter = ByteCount.class,
      defaultValue = "160MiB",
      description = "target size of an sstable; 64 KiB to 64 GiB (default ${DEFAULT-VALUE})")
  long sstableBytes;

  @Option(
      names = "--compaction-rate",
      converter = Rate.class,
      defaultValue = "unlimited",
      description =
          "bytes that a node can compact while it flushes one; above 0, or unlimited"
              + " (default ${DEFAULT-VALUE})")
  double compactionRate;

  @Mixin final FormatOptions formats = new FormatOptions();

  Simulation simulation() {
    return simulation(keys, rf);
  }

  Simulation simulation(long otherKeys, int otherRf) {
    return new Simulation(
        new Cluster(nodes, tokens, otherRf),
        new Workload(otherKeys, updates, entryBytes, zipf),
        new Storage(memtableBytes, sstableBytes, memtables(), compactionRate),
        formats.formats());
  }

  Layout decoupled(int otherRuns) {
    return new Layout.Decoupled(
        primary(), primaryBatches(), splits(), policy().withRuns(otherRuns));
  }

  private Optional<BatchPolicy> primaryBatches() {
    int files = primaryBatch == null ? preset.primaryBatch : primaryBatch;
    within("--primary-batch", files, 0, 1024);
    return files == 0 ? Optional.empty() : Optional.of(waiting(files, 32));
  }

  private BatchPolicy splits() {
    within("--split-segments", splitSegments, 1, 1024);
    return waiting(splitSegments, 64);
  }

  // as the table options: with a smallest run, a queue waits for its bytes up to a limit of files
  private BatchPolicy waiting(int files, int limit) {
    long least = minRunBytes();
    return batches(files, least == 0 ? files : Math.max(limit, 2 * files), least);
  }

  // a simulation has no clock, so nothing is ever due by age
  private static BatchPolicy batches(int least, int most, long minOutputBytes) {
    return new BatchPolicy(least, most, minOutputBytes, Duration.ofDays(36_500));
  }

  private static void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " " + value + ", legal: " + least + " to " + most);
    }
  }

  private Policy policy() {
    return policy == null ? preset.policy : policy;
  }

  private Layout.Tree primary() {
    return primary == null ? preset.primary : primary;
  }

  private Storage.Memtables memtables() {
    return memtables == null ? preset.memtables : memtables;
  }

  private long minRunBytes() {
    return minRunBytes == null ? preset.minRunBytes : minRunBytes;
  }

  /** What was simulated, as results record it. */
  Map<String, Object> config() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("keys", keys);
    config.put("updates", updates);
    config.put("zipfExponent", zipf);
    config.put("entryBytes", entryBytes);
    config.put("rf", rf);
    config.put("nodes", nodes);
    config.put("tokens", tokens);
    config.put("runs", RunLimit.json(runs));
    config.put("policy", policy().name().toLowerCase(Locale.ROOT));
    config.put("primary", primary().label());
    config.put("memtables", memtables().name().toLowerCase(Locale.ROOT));
    config.put("primaryBatch", primaryBatch == null ? preset.primaryBatch : primaryBatch);
    config.put("minRunBytes", minRunBytes());
    config.put("splitSegments", splitSegments);
    config.put("memtableBytes", memtableBytes);
    config.put("sstableBytes", sstableBytes);
    config.put("compactionRate", Rate.json(compactionRate));
    config.putAll(formats.config());
    return config;
  }
}
