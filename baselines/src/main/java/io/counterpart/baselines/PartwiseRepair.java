package io.counterpart.baselines;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.BatchedRepair;
import io.counterpart.cache.coded.repair.ObjectRepair;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Restores the lost objects of a stripe chunk by chunk, and parity after them. Belongs to the
 * shard's event loop. Paper: ECHash §4.5.
 */
final class PartwiseRepair implements ObjectRepair {
  private final ShardServices services;
  private final BatchedRepair batched;
  private final Part part;

  /** Restores lost objects of one chunk. */
  @FunctionalInterface
  private interface Part {
    void restore(PartwiseRepair repair, int stripe, LostSlots lost, Runnable done);
  }

  private PartwiseRepair(ShardServices services, Unrestored unrestored, Part part) {
    this.services = services;
    this.batched = new BatchedRepair(services, unrestored);
    this.part = part;
  }

  /** Decodes whole chunks. */
  static PartwiseRepair chunks(ShardServices services, Unrestored unrestored) {
    return new PartwiseRepair(services, unrestored, PartwiseRepair::restoreChunk);
  }

  /** Decodes the whole chunk for each lost object anew. */
  static PartwiseRepair chunkOfEach(ShardServices services, Unrestored unrestored) {
    return new PartwiseRepair(services, unrestored, each(PartwiseRepair::restoreChunk));
  }

  /** Decodes object by object, from the other objects of its column, and parity. */
  static PartwiseRepair fragments(ShardServices services, Unrestored unrestored) {
    return new PartwiseRepair(services, unrestored, each(PartwiseRepair::restoreTogether));
  }

  private static Part each(Part one) {
    return (repair, stripe, lost, done) -> {
      Countdown countdown = new Countdown(lost.slots().length, done);
      for (int slot : lost.slots()) {
        one.restore(
            repair, stripe, new LostSlots(lost.chunk(), new int[] {slot}), countdown::oneLess);
      }
    };
  }

  @Override
  public void restore(int stripe, List<LostSlots> lost, int[] parity, Runnable done) {
    if (parity.length == 0) {
      services.folding().foldAlone(stripe, () -> restoreNext(stripe, lost.iterator(), done));
    } else {
      restoreNext(stripe, lost.iterator(), () -> batched.restore(stripe, List.of(), parity, done));
    }
  }

  private void restoreNext(int stripe, Iterator<LostSlots> lost, Runnable done) {
    if (lost.hasNext()) {
      part.restore(this, stripe, lost.next(), () -> restoreNext(stripe, lost, done));
    } else {
      done.run();
    }
  }

  /** Decodes the whole chunk for these slots, from all data of the other chunks and parity. */
  private void restoreChunk(int stripe, LostSlots lost, Runnable done) {
    Shard shard = services.shard();
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, services.statistics().repair()),
        new ChunkRecords(shard).without(lost.chunk()),
        read -> {
          boolean isDecoded =
              Arrays.stream(lost.slots())
                  .allMatch(slot -> read.contentOf(new Place(stripe, lost.chunk(), slot)) != null);
          if (isDecoded) {
            batched.write(read, stripe, List.of(lost), done);
          } else {
            restoreTogether(stripe, lost, done); // more is lost: the remaining items are needed
          }
        });
  }

  private void restoreTogether(int stripe, LostSlots lost, Runnable done) {
    batched.restore(stripe, List.of(lost), new int[0], done);
  }
}
