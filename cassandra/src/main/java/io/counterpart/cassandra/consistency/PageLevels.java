package io.counterpart.cassandra.consistency;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.schema.TableId;

/**
 * The levels of results that clients read page by page, by what a client sends for its next page.
 * The last {@value #MOST} are remembered; a page of an older one, or of another coordinator's, gets
 * its client's level. Thread-safe.
 */
final class PageLevels {
  static final int MOST = 4_096;

  /**
   * What two results may have in common, so that the stronger level counts.
   *
   * @param state hash of 128 bits of what the client sends: it holds keys, which may be large
   */
  record NextPage(TableId table, ReadLevel clientLevel, HashCode state) {
    static NextPage of(TableId table, ReadLevel clientLevel, ByteBuffer state) {
      return new NextPage(table, clientLevel, Hashing.murmur3_128().hashBytes(state.duplicate()));
    }
  }

  private final Map<NextPage, ReadLevel> levels =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NextPage, ReadLevel> eldest) {
          return size() > MOST;
        }
      };

  /** The level of the pages before. */
  synchronized void remember(NextPage page, ReadLevel level) {
    // levels of one kind are declared in the order of their replicas
    levels.merge(page, level, (one, other) -> one.compareTo(other) >= 0 ? one : other);
  }

  synchronized Optional<ReadLevel> of(NextPage page) {
    return Optional.ofNullable(levels.get(page));
  }
}
