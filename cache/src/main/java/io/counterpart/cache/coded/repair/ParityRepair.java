package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ParityItem;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.format.ParityFormat;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Restores lost parity items: encodes them from the data of their stripe. Parity items that still
 * exist are not written again if that is cheaper; the new items then record the same state as the
 * existing ones. Belongs to the shard's event loop. Paper: ECHash §4.5.
 */
final class ParityRepair {
  private static final long UNKNOWN = -1;

  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final ObjectRepair.Unrestored unrestored;

  ParityRepair(ShardServices services, ObjectRepair.Unrestored unrestored) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.statistics = services.statistics();
    this.unrestored = unrestored;
  }

  /**
   * Finds the parity items of a stripe that these servers should have and do not.
   *
   * @param found gets their numbers
   */
  static void findMissing(
      Shard shard, int stripe, List<ServerLink> servers, Consumer<int[]> found) {
    int[] theirs =
        IntStream.range(0, shard.code().parityCount())
            .filter(i -> servers.contains(shard.placement().parityServer(stripe, i)))
            .toArray();
    boolean[] isThere = new boolean[shard.code().parityCount()];
    Countdown countdown =
        new Countdown(
            theirs.length + 1,
            () -> found.accept(Arrays.stream(theirs).filter(i -> !isThere[i]).toArray()));
    for (int i : theirs) {
      shard
          .items()
          .getParity(
              stripe,
              i,
              item -> {
                isThere[i] = item != null;
                if (item != null) {
                  item.release();
                }
                countdown.oneLess();
              });
    }
    countdown.oneLess();
  }

  /**
   * Encodes parity items, and all others if deltas are pending.
   *
   * @param numbers of the missing items
   * @param read all columns of the stripe
   */
  void write(int stripe, int[] numbers, ColumnRead read, Runnable done) {
    if (!read.isWhole()) {
      // more is lost, or away, than the code tolerates; while some is away, existing parity stays
      if (read.mayHaveMissed()) {
        for (int i : numbers) {
          unrestored.unrestored(
              stripe, shard.placement().parityServer(stripe, i), ObjectRepair.Reason.OTHERS_AWAY);
        }
        done.run();
      } else {
        folding.dropLostAlone(stripe, done); // otherwise journals would hold its entries for good
      }
      return;
    }
    byte[][] parity = shard.encode(stripe, read.source());
    for (int i : numbers) {
      statistics.restoredParity().add(ParityFormat.HEADER_BYTES + parity[i].length);
    }
    if (shard.pending().of(stripe) != null) {
      folding.write(stripe, parity, done); // the others are behind
    } else {
      findFolded(
          stripe,
          numbers,
          read,
          folded -> {
            if (folded == UNKNOWN) {
              folding.write(stripe, parity, done);
            } else {
              folding.writeSome(stripe, parity, numbers, folded, done);
            }
          });
    }
  }

  /**
   * Finds the sequence of the existing items. Reading one item costs as much as writing one, so it
   * must save two.
   */
  private void findFolded(int stripe, int[] numbers, ColumnRead read, LongConsumer found) {
    int[] others =
        IntStream.range(0, shard.code().parityCount())
            .filter(i -> Arrays.stream(numbers).noneMatch(number -> number == i))
            .filter(i -> shard.placement().parityServer(stripe, i).isUsable())
            .toArray();
    if (read.folded() != UNKNOWN) {
      found.accept(read.folded());
    } else if (others.length < 2) {
      found.accept(UNKNOWN);
    } else {
      ParityItem.read(
          shard,
          stripe,
          others[0],
          statistics.repair().parity(),
          item -> found.accept(item == null ? UNKNOWN : item.folded()));
    }
  }
}
