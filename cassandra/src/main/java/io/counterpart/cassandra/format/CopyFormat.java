package io.counterpart.cassandra.format;

import java.util.Map;
import java.util.function.Predicate;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.schema.CompressionParams;
import org.jspecify.annotations.Nullable;

/**
 * The format in which redundant copies are written, as far as it differs from the table's.
 * Immutable and thread-safe.
 *
 * <p>Goes beyond the paper, whose redundant copies have the table's format.
 *
 * @param compressor null for the table's
 * @param chunkBytes bytes that are compressed together, a power of two; 0 for the table's
 * @param filterChance chance of a false positive of Bloom filters, above 0 to 1; 0 for the table's
 */
public record CopyFormat(@Nullable Compressor compressor, int chunkBytes, double filterChance) {
  /** The table's own format. */
  public static final CopyFormat TABLE = new CopyFormat(null, 0, 0);

  /**
   * A compressor of Cassandra's.
   *
   * @param name its class, as Cassandra takes it
   * @param options its own options
   */
  public record Compressor(String name, Map<String, String> options) {
    public Compressor {
      options = Map.copyOf(options);
    }
  }

  /** Whether nothing differs from the table's format. */
  public boolean isTables() {
    return equals(TABLE);
  }

  /**
   * The parameters of an sstable in this format.
   *
   * @param table the table's own; where these are off, nothing is compressed
   */
  CompressionParams compression(CompressionParams table) {
    if (!table.isEnabled() || compressor == null && chunkBytes == 0) {
      return table;
    }
    String name = compressor == null ? table.klass().getName() : compressor.name();
    Map<String, String> options =
        compressor == null ? table.getOtherOptions() : compressor.options();
    int chunk = chunkBytes == 0 ? table.chunkLength() : chunkBytes;
    return new CompressionParams(name, options, chunk, minRatio(table));
  }

  /** The table's own: below it Cassandra keeps a chunk uncompressed. */
  private static double minRatio(CompressionParams table) {
    return table.maxCompressedLength() == Integer.MAX_VALUE
        ? CompressionParams.DEFAULT_MIN_COMPRESS_RATIO
        : (double) table.chunkLength() / table.maxCompressedLength();
  }

  /** Cassandra's builder with this format instead of the table's. */
  public SSTableWriter.Builder<?, ?> applied(SSTableWriter.Builder<?, ?> builder) {
    return compressor == null && chunkBytes == 0 ? builder : FormattedBuilders.of(builder, this);
  }

  /**
   * The number of keys for which Cassandra, which knows the table's chance alone, makes a Bloom
   * filter of this format's chance: for 0.1 instead of 0.01 half of them, by {@link FilterShape}.
   *
   * @param keys estimated keys of the sstable
   * @param tableChance of a false positive, above 0 to 1
   */
  public long filterKeys(long keys, double tableChance) {
    if (filterChance == 0 || tableChance >= 1 || filterChance == tableChance) {
      return keys;
    }
    FilterShape tables = FilterShape.of(tableChance);
    return Math.max(1, Math.round(keys * tables.bitsFor(filterChance) / tables.bitsPerKey()));
  }

  /**
   * Tells whether the chunks of an sstable are as this format wants them. The chance of its filter
   * is unknown: Cassandra stores the table's.
   *
   * @param table the table's own parameters, as they are now
   */
  public Predicate<SSTableReader> written(CompressionParams table) {
    CompressionParams wanted = compression(table);
    return sstable ->
        sstable.compression
            ? wanted.isEnabled() && isAlike(wanted, sstable.getCompressionMetadata().parameters)
            : !wanted.isEnabled();
  }

  static boolean isAlike(CompressionParams wanted, CompressionParams actual) {
    return wanted.klass().equals(actual.klass())
        && wanted.chunkLength() == actual.chunkLength()
        && wanted.maxCompressedLength() == actual.maxCompressedLength()
        && wanted.getOtherOptions().equals(actual.getOtherOptions());
  }
}
