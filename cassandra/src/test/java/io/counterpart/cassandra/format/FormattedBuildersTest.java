package io.counterpart.cassandra.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.compress.CompressedSequentialWriter;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SequenceBasedSSTableId;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.SequentialWriter;
import org.apache.cassandra.schema.CompressionParams;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.TimeUUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormattedBuildersTest {
  private static final CopyFormat LARGE_CHUNKS = new CopyFormat(null, 64 << 10, 0);
  private static final TableMetadata COMPRESSED =
      TableMetadata.builder("ks", "t")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("k", LongType.instance)
          .compression(CompressionParams.lz4(4 << 10))
          .build();
  private static final TableMetadata UNCOMPRESSED =
      COMPRESSED.unbuild().compression(CompressionParams.noCompression()).build();

  @TempDir private Path directory;

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization(false);
  }

  /** Else the sstable would be listed as compressed, and could not be opened. */
  @ParameterizedTest
  @ValueSource(strings = {"big", "bti"})
  void an_alter_in_the_midst_leaves_components_and_data_alike(String format) {
    TableMetadataRef table = TableMetadataRef.forOfflineTools(COMPRESSED);
    SSTableWriter.Builder<?, ?> builder = FormattedBuilders.of(stock(table, format), LARGE_CHUNKS);

    table.setLocalOverrides(UNCOMPRESSED);

    assertThat(builder.getComponents()).contains(Components.COMPRESSION_INFO);
    try (SequentialWriter data = dataWriter(builder)) {
      assertThat(data).isInstanceOf(CompressedSequentialWriter.class);
      assertThat(data.maxBytesInPage()).as("a chunk").isEqualTo(64 << 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"big", "bti"})
  void everything_else_is_as_stock_has_it(String format) {
    TimeUUID session = TimeUUID.Generator.nextTimeUUID();
    SSTableWriter.Builder<?, ?> stock =
        stock(TableMetadataRef.forOfflineTools(COMPRESSED), format).setPendingRepair(session);

    SSTableWriter.Builder<?, ?> builder = FormattedBuilders.of(stock, LARGE_CHUNKS);

    assertThat(builder).isNotSameAs(stock);
    assertThat(builder.descriptor).isEqualTo(stock.descriptor);
    assertThat(builder.getComponents()).isEqualTo(stock.getComponents());
    assertThat(builder.getPendingRepair()).isEqualTo(session);
    assertThat(builder.getTableMetadataRef()).isSameAs(stock.getTableMetadataRef());
  }

  @ParameterizedTest
  @ValueSource(strings = {"big", "bti"})
  void an_uncompressed_table_keeps_stocks_builder(String format) {
    SSTableWriter.Builder<?, ?> stock =
        stock(TableMetadataRef.forOfflineTools(UNCOMPRESSED), format);

    assertThat(FormattedBuilders.of(stock, LARGE_CHUNKS)).isSameAs(stock);
  }

  private SSTableWriter.Builder<?, ?> stock(TableMetadataRef table, String format) {
    SSTableFormat<?, ?> sstables = DatabaseDescriptor.getSSTableFormats().get(format);
    Descriptor descriptor =
        new Descriptor(new File(directory), "ks", "t", new SequenceBasedSSTableId(1), sstables);
    return sstables
        .getWriterFactory()
        .builder(descriptor)
        .setTableMetadataRef(table)
        .setMetadataCollector(new MetadataCollector(COMPRESSED.comparator, null))
        .setSecondaryIndexGroups(List.of())
        .addDefaultComponents(List.of());
  }

  private static SequentialWriter dataWriter(SSTableWriter.Builder<?, ?> builder) {
    builder.setMetadataCollector(new MetadataCollector(COMPRESSED.comparator, null));
    return builder instanceof FormattedBuilders.Big big
        ? big.openDataWriter()
        : ((FormattedBuilders.Bti) builder).openDataWriter();
  }
}
