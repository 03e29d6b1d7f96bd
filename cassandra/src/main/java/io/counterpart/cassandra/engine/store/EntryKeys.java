package io.counterpart.cassandra.engine.store;

import io.counterpart.engine.KvRange;
import java.util.Arrays;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.IncludingExcludingBounds;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a table's entries, in the order of tokens, partition keys and clusterings.
 *
 * <pre>
 * key    := state | header | row
 * state  := 0x00
 * header := partition            partition's DecoratedKey, byte-comparable, prefix-free
 * row    := partition clustering clustering, byte-comparable, prefix-free
 * </pre>
 *
 * <p>No partition begins with 0x00, so the state is the first entry. Bounds of slices and
 * partitions are byte-comparable too and equal no key. The encoding is Cassandra's OSS50, which
 * never changes.
 */
final class EntryKeys {
  static final byte[] STATE = {0};

  /** A bound before the first header. */
  static final byte[] FIRST = {1};

  private static final ByteComparable.Version VERSION = ByteComparable.Version.OSS50;

  private EntryKeys() {}

  static byte[] header(DecoratedKey key) {
    return bytes(key);
  }

  static byte[] row(byte[] header, TableMetadata table, Clustering<?> clustering) {
    return concat(header, bytes(table.comparator.asByteComparable(clustering)));
  }

  /** Rows of one partition within a slice. */
  static KvRange rows(byte[] header, TableMetadata table, Slice slice) {
    return KvRange.of(
        concat(header, bytes(table.comparator.asByteComparable(slice.start()))),
        concat(header, bytes(table.comparator.asByteComparable(slice.end()))));
  }

  /** Headers and rows of partitions. */
  static KvRange partitions(AbstractBounds<PartitionPosition> bounds) {
    boolean includesLeft = bounds instanceof Bounds || bounds instanceof IncludingExcludingBounds;
    boolean includesRight = bounds instanceof Bounds || bounds instanceof Range;
    return KvRange.of(
        bounds.left.isMinimum() ? FIRST : bound(bounds.left, includesLeft),
        bounds.right.isMinimum() ? null : bound(bounds.right, !includesRight));
  }

  /**
   * Headers and rows of partitions between two positions.
   *
   * @param from inclusive; null or the minimum for the first
   * @param to exclusive; null or the minimum for the last
   */
  static KvRange between(@Nullable PartitionPosition from, @Nullable PartitionPosition to) {
    return KvRange.of(
        from == null || from.isMinimum() ? FIRST : bound(from, true),
        to == null || to.isMinimum() ? null : bound(to, true));
  }

  /** A bound behind the last row of a partition. */
  static byte[] behind(DecoratedKey key) {
    return bound(key, false);
  }

  private static byte[] bound(PartitionPosition position, boolean before) {
    return bytes(position.asComparableBound(before));
  }

  private static byte[] bytes(ByteComparable comparable) {
    return ByteSourceInverse.readBytes(comparable.asComparableBytes(VERSION));
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
