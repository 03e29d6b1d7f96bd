package io.counterpart.cassandra.format;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.schema.TableParams;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of options of the format that have no effect on a table, also when an ALTER of another
 * parameter of the table is the cause: Cassandra makes no new strategy for that. Thread-safe.
 */
public final class FormatNotice {
  private static final Logger logger = LoggerFactory.getLogger(FormatNotice.class);

  private final String table;
  private final CopyFormat format;
  private volatile @Nullable TableParams seen;

  /**
   * @param table with its keyspace
   */
  public FormatNotice(String table, CopyFormat format) {
    this.table = table;
    this.format = format;
  }

  /** Warns if the parameters are others than at the last call. */
  public void look(TableParams params) {
    if (params == seen) {
      return;
    }
    seen = params;
    for (String reason : withoutEffect(format, params)) {
      // each data directory and repair status has a strategy of its own
      String key = table + reason;
      NoSpamLogger.log(
          logger, NoSpamLogger.Level.WARN, key, 1, TimeUnit.MINUTES, "{}: {}", table, reason);
    }
  }

  /** Options that have no effect, with the reason. */
  static List<String> withoutEffect(CopyFormat format, TableParams params) {
    List<String> reasons = new ArrayList<>();
    boolean compresses = format.compressor() != null || format.chunkBytes() > 0;
    if (compresses && !params.compression.isEnabled()) {
      reasons.add(
          "redundant_compression and redundant_chunk_length have no effect, because the table's"
              + " compression is off");
    }
    if (format.filterChance() > 0 && params.bloomFilterFpChance >= 1) {
      reasons.add(
          "redundant_bloom_filter_fp_chance has no effect, because the table's"
              + " bloom_filter_fp_chance is 1: it has no Bloom filters");
    }
    return reasons;
  }
}
