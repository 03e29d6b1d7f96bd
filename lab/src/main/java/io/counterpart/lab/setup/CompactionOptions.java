package io.counterpart.lab.setup;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The options of arms' tables, as maps and as CQL. Stateless. */
final class CompactionOptions {
  static final String DECOUPLED = "io.counterpart.cassandra.compaction.DecoupledCompactionStrategy";
  static final String MIN_RUN_SIZE = "min_run_size";
  private static final String UCS = "UnifiedCompactionStrategy";

  private CompactionOptions() {}

  /** Names and values by turns, "class" first. */
  static Map<String, String> of(String strategy, String... options) {
    Map<String, String> compaction = new LinkedHashMap<>();
    compaction.put("class", strategy);
    for (int i = 0; i < options.length; i += 2) {
      compaction.put(options[i], options[i + 1]);
    }
    return compaction;
  }

  /** Those of {@link #decoupled}, with redundant copies that take less space. */
  static Map<String, String> smallRedundant(String scaling, String compressor) {
    Map<String, String> options = new LinkedHashMap<>(decoupled(scaling));
    options.put("redundant_compression", compressor);
    options.put("redundant_chunk_length", "32KiB");
    options.put("redundant_bloom_filter_fp_chance", "0.03");
    return options;
  }

  /** Decoupled replicas whose primary tree is the {@link #unified} one of the same scaling. */
  static Map<String, String> decoupled(String scaling) {
    return of(
        DECOUPLED,
        "mode",
        "decoupled",
        "runs",
        "20",
        MIN_RUN_SIZE,
        "3MiB",
        "split_idle",
        "10",
        "primary",
        "ucs",
        "primary.scaling_parameters",
        scaling,
        "primary.target_sstable_size",
        "2MiB",
        "primary.min_sstable_size",
        "1MiB");
  }

  /** The same with the primary copies in the table's engine. */
  static Map<String, String> byRank(String scaling) {
    Map<String, String> options = decoupled(scaling);
    options.put("primary", "engine");
    return options;
  }

  static Map<String, String> unified(String scaling) {
    return of(
        UCS,
        "scaling_parameters",
        scaling,
        "target_sstable_size",
        "2MiB",
        "min_sstable_size",
        "1MiB");
  }

  static Map<String, String> compression(String compressor, int chunkKib) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("class", compressor);
    options.put("chunk_length_in_kb", String.valueOf(chunkKib));
    return options;
  }

  /** As CQL writes a map. */
  static String cql(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> "'%s': '%s'".formatted(option.getKey(), option.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
