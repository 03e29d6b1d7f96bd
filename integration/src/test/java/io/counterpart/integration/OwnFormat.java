package io.counterpart.integration;

import java.util.Map;
import java.util.TreeMap;

/** A format of their own for redundant copies, in tests whose subject is another one. */
final class OwnFormat {
  private static final String TABLE_COMPRESSION =
      "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}";

  private static final Map<String, String> OPTIONS =
      Map.of(
          "redundant_compression", "ZstdCompressor:3",
          "redundant_chunk_length", "64KiB",
          "redundant_bloom_filter_fp_chance", "0.1");

  private OwnFormat() {}

  /** Options of the strategy, and those of the format. */
  static Map<String, String> with(Map<String, String> more) {
    Map<String, String> options = new TreeMap<>(OPTIONS);
    options.putAll(more);
    return options;
  }

  /**
   * What {@code WITH} of a table says: small chunks for primary copies, and the format.
   *
   * @param more options of the strategy
   */
  static String table(Map<String, String> more) {
    return TABLE_COMPRESSION + " AND compaction = " + TestCluster.decoupled(with(more));
  }
}
