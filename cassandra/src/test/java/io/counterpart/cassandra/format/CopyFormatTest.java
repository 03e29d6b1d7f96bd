package io.counterpart.cassandra.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.format.CopyFormat.Compressor;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.compress.LZ4Compressor;
import org.apache.cassandra.io.compress.ZstdCompressor;
import org.apache.cassandra.schema.CompressionParams;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyFormatTest {
  private static final CompressionParams LZ4_4K = CompressionParams.lz4(4 << 10);
  private static final Compressor ZSTD =
      new Compressor("ZstdCompressor", Map.of("compression_level", "5"));

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void the_tables_format_is_its_own() {
    assertThat(CopyFormat.TABLE.compression(LZ4_4K)).isSameAs(LZ4_4K);
    assertThat(CopyFormat.TABLE.filterKeys(1000, 0.01)).isEqualTo(1000);
    assertThat(CopyFormat.TABLE.isTables()).isTrue();
  }

  @Test
  void compressor_and_chunks_are_chosen_apart() {
    CompressionParams both = new CopyFormat(ZSTD, 64 << 10, 0).compression(LZ4_4K);
    CompressionParams zstd = new CopyFormat(ZSTD, 0, 0).compression(LZ4_4K);
    CompressionParams large = new CopyFormat(null, 64 << 10, 0).compression(LZ4_4K);

    assertThat(both.getSstableCompressor()).isInstanceOf(ZstdCompressor.class);
    assertThat(both.getOtherOptions()).containsEntry("compression_level", "5");
    assertThat(both.chunkLength()).isEqualTo(64 << 10);
    assertThat(zstd.getSstableCompressor()).isInstanceOf(ZstdCompressor.class);
    assertThat(zstd.chunkLength()).isEqualTo(4 << 10);
    assertThat(large.getSstableCompressor()).isInstanceOf(LZ4Compressor.class);
    assertThat(large.chunkLength()).isEqualTo(64 << 10);
  }

  @Test
  void chunks_that_hardly_compress_stay_as_they_are_where_the_table_says_so() {
    CompressionParams table = new CompressionParams("LZ4Compressor", Map.of(), 4 << 10, 1.25);

    CompressionParams redundant = new CopyFormat(ZSTD, 64 << 10, 0).compression(table);

    assertThat((double) redundant.chunkLength() / redundant.maxCompressedLength())
        .isBetween(1.24, 1.26);
    CompressionParams any = new CompressionParams("LZ4Compressor", Map.of(), 4 << 10, 0);
    assertThat(new CopyFormat(ZSTD, 0, 0).compression(any).maxCompressedLength())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void nothing_is_compressed_where_the_table_is_not() {
    CompressionParams off = CompressionParams.noCompression();

    assertThat(new CopyFormat(ZSTD, 64 << 10, 0).compression(off).isEnabled()).isFalse();
  }

  @Test
  void another_least_ratio_is_another_format() {
    CompressionParams before = new CompressionParams("LZ4Compressor", Map.of(), 4 << 10, 0);
    CompressionParams after = new CompressionParams("LZ4Compressor", Map.of(), 4 << 10, 1.25);

    assertThat(CopyFormat.isAlike(before, LZ4_4K)).isFalse();
    assertThat(CopyFormat.isAlike(after, before)).isFalse();
    assertThat(CopyFormat.isAlike(after, after.copy())).isTrue();
  }

  /** By Cassandra's own filters, which it makes by the table's chance and the number of keys. */
  @ParameterizedTest(name = "table={0} redundant={1}")
  @CsvSource({
    "0.01, 0.1",
    "0.01, 0.3",
    "0.01, 0.5",
    "0.01, 0.001",
    "0.1, 0.01",
    "0.1, 0.3",
    "0.001, 0.1",
    "0.5, 0.1",
    "0.9, 0.2"
  })
  void filters_pass_as_many_absent_keys_as_their_chance_says(double table, double redundant) {
    long keys = 100_000;
    long named = new CopyFormat(null, 0, redundant).filterKeys(keys, table);

    double passed = passed(named, table, keys);

    assertThat(passed / redundant).as("%s passed", passed).isBetween(0.7, 1.15);
  }

  private static double passed(long named, double tableChance, long keys) {
    try (IFilter filter = FilterFactory.getFilter(named, tableChance)) {
      for (long key = 0; key < keys; key++) {
        filter.add(key(key));
      }
      long absent = LongStream.range(keys, 3 * keys).filter(k -> filter.isPresent(key(k))).count();
      return (double) absent / (2 * keys);
    }
  }

  private static DecoratedKey key(long number) {
    return Murmur3Partitioner.instance.decorateKey(ByteBufferUtil.bytes(number));
  }

  @Test
  void half_of_the_keys_make_a_filter_of_0_1_beside_0_01() {
    CopyFormat lean = new CopyFormat(null, 0, 0.1);

    assertThat(lean.filterKeys(100_000, 0.01)).isBetween(49_000L, 51_000L);
    assertThat(lean.filterKeys(0, 0.01)).isEqualTo(1);
    assertThat(lean.filterKeys(100_000, 0.1)).isEqualTo(100_000);
    assertThat(lean.filterKeys(100_000, 1)).as("no filter").isEqualTo(100_000);
  }

  /**
   * Cassandra refuses filters of more than 16 GiB: no chance may need one where stock needs none.
   */
  @ParameterizedTest(name = "table={0} redundant={1}")
  @CsvSource({"0.9, 0.00007", "0.5, 0.0001", "0.1, 0.00007"})
  void filters_never_have_more_bits_than_cassandras_largest(double table, double redundant) {
    long keys = 1_000_000;
    long named = new CopyFormat(null, 0, redundant).filterKeys(keys, table);

    try (IFilter filter = FilterFactory.getFilter(named, table)) {
      assertThat(filter.offHeapSize()).isLessThanOrEqualTo(keys * 20 / 8 + 64);
    }
  }
}
