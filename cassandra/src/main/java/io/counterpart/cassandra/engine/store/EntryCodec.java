package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.zip.CRC32;
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
import org.jspecify.annotations.Nullable;

/**
 * Values of headers and rows: a format byte, a checksum of the entry's key and body (and of any
 * other byte than the usual one), and the body, Cassandra's serialization of a partition. Engines
 * need not notice damage, so every entry that is read is checked here.
 *
 * <p>Each body names its columns, so that it can be read after any ALTER: that is what the null
 * selection is for. The messaging version is pinned, since the bytes outlive an upgrade.
 */
final class EntryCodec {
  private static final byte FORMAT = 1;

  /** Of a header whose deletions may cover stored rows. */
  private static final byte UNFINISHED = 2;

  private static final int VERSION = MessagingService.Version.VERSION_50.value;
  private static final int USUAL_BYTES = 256;
  private static final int CRC_AT = 1;
  private static final int BODY_AT = CRC_AT + Integer.BYTES;

  private final TableMetadata table;

  EntryCodec(TableMetadata table) {
    this.table = table;
  }

  /**
   * A partition's deletions, its static row and, in a table without clustering, its one row.
   *
   * @param entryKey that the value is for
   */
  byte[] header(
      byte[] entryKey, DecoratedKey key, DeletionInfo deletions, Row staticRow, Object[] rows) {
    return encode(FORMAT, entryKey, key, deletions, staticRow, rows);
  }

  /** The same while rows that the deletions cover are stored, of which {@link #isUnfinished}. */
  byte[] unfinished(
      byte[] entryKey, DecoratedKey key, DeletionInfo deletions, Row staticRow, Object[] rows) {
    return encode(UNFINISHED, entryKey, key, deletions, staticRow, rows);
  }

  /** Whether a header's deletions may cover stored rows. */
  static boolean isUnfinished(byte[] header) {
    return header[0] == UNFINISHED;
  }

  /** One row. */
  byte[] row(byte[] entryKey, DecoratedKey key, Row row) {
    return encode(
        FORMAT, entryKey, key, DeletionInfo.LIVE, Rows.EMPTY_STATIC_ROW, BTree.singleton(row));
  }

  private byte[] encode(
      byte format,
      byte[] entryKey,
      DecoratedKey key,
      DeletionInfo deletions,
      Row staticRow,
      Object[] rows) {
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
      out.writeByte(format);
      out.writeInt(0);
      UnfilteredRowIteratorSerializer.serializer.serialize(content, null, out, VERSION);
      byte[] value = out.toByteArray();
      ByteBuffer.wrap(value).putInt(CRC_AT, crc(entryKey, value));
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot encode a partition of " + table, e);
    }
  }

  private static int crc(byte[] entryKey, byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(entryKey);
    if (value[0] != FORMAT) {
      crc.update(value[0]);
    }
    crc.update(value, BODY_AT, value.length - BODY_AT);
    return (int) crc.getValue();
  }

  /**
   * A partition's header.
   *
   * @throws StoreException if the value is damaged, or is another key's
   */
  ImmutableBTreePartition header(byte[] entryKey, byte[] value) {
    return decode(entryKey, value);
  }

  /**
   * A row; null if all that it had is in columns that were dropped since. Throws as {@link #header}
   * does.
   */
  @Nullable Row row(byte[] entryKey, byte[] value) {
    return row(decode(entryKey, value));
  }

  /** The row of a {@link #rowWithKey}, likewise. */
  static @Nullable Row row(ImmutableBTreePartition entry) {
    Iterator<Row> rows = entry.iterator();
    return rows.hasNext() ? rows.next() : null;
  }

  /** A row's entry with the partition that it belongs to; throws as {@link #header} does. */
  ImmutableBTreePartition rowWithKey(byte[] entryKey, byte[] value) {
    return decode(entryKey, value);
  }

  private ImmutableBTreePartition decode(byte[] entryKey, byte[] value) {
    if (value.length < BODY_AT
        || (value[0] != FORMAT && value[0] != UNFINISHED)
        || ByteBuffer.wrap(value).getInt(CRC_AT) != crc(entryKey, value)) {
      throw damaged(null);
    }
    try (DataInputBuffer in =
            new DataInputBuffer(ByteBuffer.wrap(value, BODY_AT, value.length - BODY_AT), false);
        UnfilteredRowIterator content =
            UnfilteredRowIteratorSerializer.serializer.deserialize(
                in, VERSION, table, null, DeserializationHelper.Flag.LOCAL)) {
      return ImmutableBTreePartition.create(content, 1);
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private StoreException damaged(@Nullable IOException cause) {
    String message = "damaged entry of " + table;
    return cause == null ? new StoreException(message) : new StoreException(message, cause);
  }
}
