package io.counterpart.cassandra.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.format.CopyFormat.Compressor;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.compress.LZ4Compressor;
import org.apache.cassandra.io.compress.ZstdCompressor;
import org.apache.cassandra.schema.CompressionParams;
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

  /** By Cassandra's own filters, which it sizes by the table's chance and the number of keys. */
  @ParameterizedTest(name = "table={0} redundant={1}")
  @CsvSource({"0.01, 0.1", "0.01, 0.3", "0.1, 0.01", "0.01, 0.01", "1.0, 0.1"})
  void filters_have_the_size_that_their_chance_needs(double table, double redundant) {
    long keys = 100_000;
    long named = new CopyFormat(null, 0, redundant).filterKeys(keys, table);

    if (table == 1) {
      assertThat(named).as("no filter").isEqualTo(keys);
      return;
    }
    try (IFilter filter = FilterFactory.getFilter(named, table);
        IFilter wanted = FilterFactory.getFilter(keys, redundant)) {
      assertThat((double) filter.offHeapSize() / wanted.offHeapSize()).isBetween(0.7, 1.4);
    }
  }
}
