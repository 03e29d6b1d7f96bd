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
   * The same writer in another format; the builder itself where its sstables are of another kind or
   * are not compressed.
   */
  static SSTableWriter.Builder<?, ?> of(SSTableWriter.Builder<?, ?> stock, CopyFormat format) {
    Descriptor descriptor = stock.descriptor;
    CompressionParams wanted = format.compression(tables(stock));
    if (!wanted.isEnabled() || !stock.getComponents().contains(Components.COMPRESSION_INFO)) {
      return stock;
    }
    // the parameters of this moment: an ALTER that switches compression off must not come between
    // the list of components and the data file
    if (BigFormat.is(descriptor.getFormat())) {
      return filled(new Big(descriptor, wanted), stock);
    }
    if (BtiFormat.is(descriptor.getFormat())) {
      return filled(new Bti(descriptor, wanted), stock);
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
    builder.setComponents(stock.getComponents());
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

  static final class Big extends BigTableWriter.Builder {
    private final CompressionParams wanted;

    Big(Descriptor descriptor, CompressionParams wanted) {
      super(descriptor);
      this.wanted = wanted;
    }

    @Override
    protected SequentialWriter openDataWriter() {
      return dataWriter(this, wanted);
    }
  }

  static final class Bti extends BtiTableWriter.Builder {
    private final CompressionParams wanted;

    Bti(Descriptor descriptor, CompressionParams wanted) {
      super(descriptor);
      this.wanted = wanted;
    }

    @Override
    protected SequentialWriter openDataWriter() {
      return dataWriter(this, wanted);
    }
  }
}
