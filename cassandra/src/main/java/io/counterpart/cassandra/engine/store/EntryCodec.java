package io.counterpart.cassandra.engine.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.cassandra.db.Columns;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.btree.BTree;

/**
 * Values of headers and rows: a format byte, then Cassandra's serialization of a partition.
 *
 * <p>Each value names its columns, so that it can be read after any ALTER: that is what the null
 * selection is for. The messaging version is pinned, since the bytes outlive an upgrade.
 */
final class EntryCodec {
  private static final byte FORMAT = 1;
  private static final int VERSION = MessagingService.Version.VERSION_50.value;
  private static final int USUAL_BYTES = 256;

  private final TableMetadata table;

  EntryCodec(TableMetadata table) {
    this.table = table;
  }

  /** A partition's deletions, its static row and, in a table without clustering, its one row. */
  byte[] header(DecoratedKey key, DeletionInfo deletions, Row staticRow, Object[] rows) {
    return encode(key, deletions, staticRow, rows);
  }

  byte[] row(DecoratedKey key, Row row) {
    return encode(key, DeletionInfo.LIVE, Rows.EMPTY_STATIC_ROW, BTree.singleton(row));
  }

  private byte[] encode(DecoratedKey key, DeletionInfo deletions, Row staticRow, Object[] rows) {
    EncodingStats stats =
        EncodingStats.Collector.collect(staticRow, BTree.iterator(rows), deletions);
    RegularAndStaticColumns columns =
        new RegularAndStaticColumns(
            staticRow.isEmpty() ? Columns.NONE : Columns.from(staticRow),
            BTree.isEmpty(rows) ? Columns.NONE : Columns.from(BTree.<Row>findByIndex(rows, 0)));
    ImmutableBTreePartition partition =
        new ImmutableBTreePartition(table, key, columns, staticRow, rows, deletions, stats);
    try (DataOutputBuffer out = new DataOutputBuffer(USUAL_BYTES);
        UnfilteredRowIterator content = partition.unfilteredIterator()) {
      out.writeByte(FORMAT);
      UnfilteredRowIteratorSerializer.serializer.serialize(content, null, out, VERSION);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot encode a partition of " + table, e);
    }
  }

  ImmutableBTreePartition header(byte[] value) {
    return decode(value);
  }

  Row row(byte[] value) {
    return decode(value).iterator().next();
  }

  private ImmutableBTreePartition decode(byte[] value) {
    try (DataInputBuffer in = new DataInputBuffer(value)) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IOException("format " + format + ", not " + FORMAT);
      }
      try (UnfilteredRowIterator content =
          UnfilteredRowIteratorSerializer.serializer.deserialize(
              in, VERSION, table, null, DeserializationHelper.Flag.LOCAL)) {
        return ImmutableBTreePartition.create(content, 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("damaged entry of " + table, e);
    }
  }
}
