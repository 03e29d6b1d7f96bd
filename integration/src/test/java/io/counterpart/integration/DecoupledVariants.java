package io.counterpart.integration;

import java.util.LinkedHashMap;
import java.util.Map;

/** Decoupled tables that differ in structure: by name, what {@code WITH} of the table says. */
final class DecoupledVariants {
  /** Redundant copies in a format of their own. */
  static final String FORMATS = "formats";

  private DecoupledVariants() {}

  static Map<String, String> ofRows() {
    Map<String, String> variants = new LinkedHashMap<>();
    variants.put("runs_1", with(Map.of("runs", "1", "split_segments", "1")));
    variants.put("runs_3", with(Map.of("runs", "3", "split_segments", "1")));
    variants.put("runs_unlimited", with(Map.of("runs", "unlimited")));
    variants.put(
        "merge_all", with(Map.of("runs", "2", "run_policy", "merge_all", "split_segments", "1")));
    variants.put("lcs", with(Map.of("primary", "lcs", "runs", "2", "split", "flush")));
    // every flush fills a run for each group: after the first one, no segment is written
    variants.put("straight", with(Map.of("runs", "3", "min_run_size", "1")));
    variants.put("adaptive", with(Map.of("adaptive_runs", "1-3", "split_segments", "1")));
    variants.put(FORMATS, withFormats());
    variants.put("mlsm", with(Map.of("mode", "mlsm")));
    variants.put("uniform", with(Map.of("mode", "uniform")));
    return variants;
  }

  static Map<String, String> ofCounters() {
    return Map.of(
        "counters_runs", with(Map.of("runs", "1")), "counters_mlsm", with(Map.of("mode", "mlsm")));
  }

  private static String withFormats() {
    return OwnFormat.table(Map.of("runs", "2", "split_segments", "1", "split", "background"));
  }

  private static String with(Map<String, String> options) {
    return "compaction = " + TestCluster.decoupled(options);
  }
}
