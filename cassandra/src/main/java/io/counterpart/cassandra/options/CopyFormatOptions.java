package io.counterpart.cassandra.options;

import io.counterpart.cassandra.format.CopyFormat;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.CompressionParams;
import org.apache.cassandra.utils.BloomCalculations;
import org.jspecify.annotations.Nullable;

/** The options of the format in which redundant copies are written. */
final class CopyFormatOptions {
  private static final String TABLE = "table";
  private static final int LEAST_CHUNK_BYTES = 1 << 10;
  private static final int MOST_CHUNK_BYTES = 1 << 20;
  private static final String COMPRESSORS =
      "table, or a compressor such as LZ4Compressor, DeflateCompressor, SnappyCompressor or"
          + " ZstdCompressor, the last with a level if you like: ZstdCompressor:5";

  private CopyFormatOptions() {}

  static CopyFormat read(OptionReader reader) {
    CopyFormat format = new CopyFormat(compressor(reader), chunk(reader), chance(reader));
    checkTogether(reader, format);
    return format;
  }

  private static CopyFormat.@Nullable Compressor compressor(OptionReader reader) {
    String given = reader.text("redundant_compression", TABLE);
    if (given.equalsIgnoreCase(TABLE)) {
      return null;
    }
    int colon = given.indexOf(':');
    String name = colon < 0 ? given : given.substring(0, colon).trim();
    if (colon >= 0 && !name.endsWith("ZstdCompressor")) {
      throw OptionReader.illegal("redundant_compression", given, COMPRESSORS);
    }
    Map<String, String> options =
        colon < 0 ? Map.of() : Map.of("compression_level", given.substring(colon + 1).trim());
    return new CopyFormat.Compressor(name, options);
  }

  private static void checkTogether(OptionReader reader, CopyFormat format) {
    CopyFormat.Compressor compressor = format.compressor();
    if (compressor == null) {
      return;
    }
    try {
      new CompressionParams(
              compressor.name(),
              compressor.options(),
              CompressionParams.DEFAULT_CHUNK_LENGTH,
              CompressionParams.DEFAULT_MIN_COMPRESS_RATIO)
          .validate();
    } catch (ConfigurationException | IllegalArgumentException e) {
      throw OptionReader.illegal(
          "redundant_compression",
          reader.text("redundant_compression", TABLE),
          COMPRESSORS + " (" + e.getMessage() + ")");
    }
  }

  private static int chunk(OptionReader reader) {
    String given = reader.text("redundant_chunk_length", TABLE);
    if (given.equalsIgnoreCase(TABLE)) {
      return 0;
    }
    long bytes = reader.bytes("redundant_chunk_length", 0, LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES);
    if (Long.bitCount(bytes) != 1) {
      throw OptionReader.illegal(
          "redundant_chunk_length", given, "table, or a power of two from 1KiB to 1MiB");
    }
    return (int) bytes;
  }

  private static double chance(OptionReader reader) {
    String given = reader.text("redundant_bloom_filter_fp_chance", TABLE);
    if (given.equalsIgnoreCase(TABLE)) {
      return 0;
    }
    double least = BloomCalculations.minSupportedBloomFilterFpChance();
    try {
      double chance = Double.parseDouble(given);
      if (chance > least && chance < 1) {
        return chance;
      }
    } catch (NumberFormatException e) {
      // reported below together with values out of range
    }
    throw OptionReader.illegal(
        "redundant_bloom_filter_fp_chance", given, "table, or above " + least + " and below 1");
  }
}
