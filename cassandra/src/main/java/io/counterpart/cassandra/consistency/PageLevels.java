package io.counterpart.cassandra.consistency;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
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

  /**
   * @param change −1 below the client's level, 1 above it, else 0: of QUORUM and THREE either may
   *     ask more replicas
   */
  private record Used(ReadLevel level, int change) {
    static final Comparator<Used> BY_STRENGTH =
        Comparator.comparingInt(Used::change).thenComparing(Used::level);

    static Used of(ReadLevel client, LevelDecision decision) {
      int atLeast = decision.level() == client ? 0 : 1;
      return new Used(decision.level(), decision.lowers() ? -1 : atLeast);
    }
  }

  private final Map<NextPage, Used> levels =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<NextPage, Used> eldest) {
          return size() > MOST;
        }
      };

  /** The level of the pages before. */
  synchronized void remember(NextPage page, LevelDecision used) {
    levels.merge(page, Used.of(page.clientLevel(), used), BinaryOperator.maxBy(Used.BY_STRENGTH));
  }

  synchronized Optional<ReadLevel> of(NextPage page) {
    return Optional.ofNullable(levels.get(page)).map(Used::level);
  }
}
