package io.counterpart.cassandra.format;

import org.apache.cassandra.io.compress.CompressedSequentialWriter;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat.Components;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.format.big.BigFormat;
import org.apache.cassandra.io.sstable.format.big.BigTableWriter;
import org.apache.cassandra.io.sstable.format.bti.BtiFormat;
import org.apache.cassandra.io.sstable.format.bti.BtiTableWriter;
import org.apache.cassandra.io.util.SequentialWriter;
import org.apache.cassandra.schema.CompressionParams;

/**
 * Cassandra's builders of sstable writers with compression parameters of their own. Both open the
 * data file in a method that may be overridden, and nothing else depends on the parameters.
 */
final class FormattedBuilders {
  private FormattedBuilders() {}

  /**
   * The same writer in another format; the builder itself where its sstables are of another kind.
   */
  static SSTableWriter.Builder<?, ?> of(SSTableWriter.Builder<?, ?> stock, CopyFormat format) {
    Descriptor descriptor = stock.descriptor;
    if (BigFormat.is(descriptor.getFormat())) {
      return filled(new Big(descriptor, format), stock);
    }
    if (BtiFormat.is(descriptor.getFormat())) {
      return filled(new Bti(descriptor, format), stock);
    }
    return stock;
  }

  private static <B extends SSTableWriter.Builder<?, ?>> B filled(
      B builder, SSTableWriter.Builder<?, ?> stock) {
    builder.setTableMetadataRef(stock.getTableMetadataRef());
    builder.setRepairedAt(stock.getRepairedAt());
    builder.setPendingRepair(stock.getPendingRepair());
    builder.setTransientSSTable(stock.isTransientSSTable());
    builder.setSecondaryIndexGroups(stock.getIndexGroups());
    builder.addDefaultComponents(stock.getIndexGroups());
    return builder;
  }

  private static SequentialWriter dataWriter(
      SSTableWriter.Builder<?, ?> builder, CompressionParams parameters) {
    Descriptor descriptor = builder.descriptor;
    return new CompressedSequentialWriter(
        descriptor.fileFor(Components.DATA),
        descriptor.fileFor(Components.COMPRESSION_INFO),
        descriptor.fileFor(Components.DIGEST),
        builder.getIOOptions().writerOptions,
        parameters,
        builder.getMetadataCollector());
  }

  private static CompressionParams tables(SSTableWriter.Builder<?, ?> builder) {
    return builder.getTableMetadataRef().getLocal().params.compression;
  }

  private static final class Big extends BigTableWriter.Builder {
    private final CopyFormat format;

    Big(Descriptor descriptor, CopyFormat format) {
      super(descriptor);
      this.format = format;
    }

    @Override
    protected SequentialWriter openDataWriter() {
      CompressionParams wanted = format.compression(tables(this));
      return wanted.isEnabled() ? dataWriter(this, wanted) : super.openDataWriter();
    }
  }

  private static final class Bti extends BtiTableWriter.Builder {
    private final CopyFormat format;

    Bti(Descriptor descriptor, CopyFormat format) {
      super(descriptor);
      this.format = format;
    }

    @Override
    protected SequentialWriter openDataWriter() {
      CompressionParams wanted = format.compression(tables(this));
      return wanted.isEnabled() ? dataWriter(this, wanted) : super.openDataWriter();
    }
  }
}
