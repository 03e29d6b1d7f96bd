package io.counterpart.cassandra.engine.share;

import io.counterpart.cassandra.ring.Classifier;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Role;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.jspecify.annotations.Nullable;

/**
 * The copies that belong in a table's store, in one state of the ring. Immutable.
 *
 * @param isAll whether these are all copies that the node has
 * @param ring of primary copies; null where it is not known, and nothing belongs in the store
 */
public record CopyShare(boolean isAll, @Nullable RingSnapshot ring) {
  private static final CopyShare ALL = new CopyShare(true, null);

  public static CopyShare all() {
    return ALL;
  }

  public static CopyShare primary(@Nullable RingSnapshot ring) {
    return new CopyShare(false, ring);
  }

  /** Whether a partition's copy belongs in the store. */
  public boolean has(DecoratedKey key) {
    return isAll || ring != null && ring.view().arc(key.getToken()).isPrimary();
  }

  /** Whether all of an sstable belongs in the store. May read its index. */
  public boolean has(SSTableReader sstable) {
    if (isAll || ring == null) {
      return isAll;
    }
    Role role = Classifier.place(sstable, ring).role();
    return role == Role.PRIMARY || role == Role.WIDE_PRIMARY;
  }

  /** Ranges of the primary copies; empty where the share is not one of these. */
  public Collection<Range<Token>> primaryRanges() {
    return ring == null ? List.of() : ring.primaryRanges();
  }
}
