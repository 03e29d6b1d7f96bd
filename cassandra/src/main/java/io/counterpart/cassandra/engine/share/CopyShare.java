package io.counterpart.cassandra.engine.share;

import io.counterpart.cassandra.ring.Classifier;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Role;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Ref;
import org.jspecify.annotations.Nullable;

/**
 * The copies that belong in a table's store, in one state of the ring. Immutable.
 *
 * @param isAll whether these are all copies that the node has
 * @param ring of primary copies; null where it is not known, and nothing belongs in the store
 */
public record CopyShare(boolean isAll, @Nullable RingSnapshot ring) {
  private static final CopyShare ALL = new CopyShare(true, null);
  private static final Set<Role> HAVING_PRIMARIES =
      EnumSet.of(Role.PRIMARY, Role.WIDE_PRIMARY, Role.MIXED);

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

  /**
   * What an sstable holds; empty where the ring is not known, or the sstable is gone by now. May
   * read its index.
   */
  public Optional<Role> role(SSTableReader sstable) {
    Ref<SSTableReader> reference = ring == null ? null : sstable.tryRef();
    if (ring == null || reference == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Classifier.place(sstable, ring).role());
    } finally {
      reference.release();
    }
  }

  static boolean isPrimary(Optional<Role> role) {
    return role.filter(each -> each == Role.PRIMARY || each == Role.WIDE_PRIMARY).isPresent();
  }

  /** Whether some of an sstable belongs in the store. May read its index. */
  public boolean touches(SSTableReader sstable) {
    return isAll || role(sstable).filter(HAVING_PRIMARIES::contains).isPresent();
  }

  /** Ranges of the primary copies; null where the share is not one of these, or not known. */
  public @Nullable Collection<Range<Token>> primaryRanges() {
    return ring == null ? null : ring.primaryRanges();
  }
}
