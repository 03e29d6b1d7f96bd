package io.counterpart.cassandra.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.schema.CompressionParams;
import org.apache.cassandra.schema.TableParams;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FormatNoticeTest {
  private static final CopyFormat LARGE_CHUNKS = new CopyFormat(null, 64 << 10, 0);
  private static final CopyFormat LEAN_FILTERS = new CopyFormat(null, 0, 0.1);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization(false);
  }

  @Test
  void compression_has_no_effect_where_the_tables_is_off() {
    TableParams off = params(CompressionParams.noCompression(), 0.01);

    assertThat(FormatNotice.withoutEffect(LARGE_CHUNKS, off))
        .singleElement()
        .asString()
        .startsWith("redundant_compression and redundant_chunk_length have no effect");
    assertThat(FormatNotice.withoutEffect(LEAN_FILTERS, off)).isEmpty();
    assertThat(FormatNotice.withoutEffect(CopyFormat.TABLE, off)).isEmpty();
  }

  @Test
  void a_chance_has_no_effect_where_the_table_has_no_filters() {
    TableParams none = params(CompressionParams.lz4(), 1);

    assertThat(FormatNotice.withoutEffect(LEAN_FILTERS, none))
        .singleElement()
        .asString()
        .startsWith("redundant_bloom_filter_fp_chance has no effect");
    assertThat(FormatNotice.withoutEffect(LARGE_CHUNKS, none)).isEmpty();
  }

  private static TableParams params(CompressionParams compression, double chance) {
    return TableParams.builder().compression(compression).bloomFilterFpChance(chance).build();
  }
}
