package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.RecordBytes;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;

/**
 * Restores the lost objects of a stripe together: reads the other objects of their columns, and
 * parity once. This is the paper's fragment-repair; its fragment is the part of a chunk that was on
 * the server. A loss of parity reads all data of the stripe, from which lost objects are decoded
 * too. Belongs to the shard's event loop. Paper: ECHash §4.5.
 */
public final class BatchedRepair implements ObjectRepair {
  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final ParityRepair parityRepair;
  private final Unrestored unrestored;

  public BatchedRepair(ShardServices services, Unrestored unrestored) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.statistics = services.statistics();
    this.parityRepair = new ParityRepair(services, unrestored);
    this.unrestored = unrestored;
  }

  @Override
  public void restore(int stripe, List<LostSlots> lost, int[] parity, Runnable done) {
    if (parity.length > 0) {
      ColumnRead.begin(
          shard,
          Columns.all(shard, stripe, statistics.repair()),
          read -> write(read, stripe, lost, () -> parityRepair.write(stripe, parity, read, done)));
    } else if (lost.isEmpty()) {
      folding.foldAlone(stripe, done);
    } else {
      folding.foldAlone(stripe, () -> restoreObjects(stripe, lost, done));
    }
  }

  private void restoreObjects(int stripe, List<LostSlots> lost, Runnable done) {
    int[] columns =
        lost.stream().flatMapToInt(ofChunk -> Arrays.stream(ofChunk.slots())).distinct().toArray();
    ColumnRead.begin(
        shard,
        new Columns(stripe, columns, statistics.repair()),
        read -> write(read, stripe, lost, done));
  }

  /** Writes the objects that a read has decoded to their servers. */
  public void write(ColumnRead read, int stripe, List<LostSlots> lost, Runnable done) {
    int count = lost.stream().mapToInt(ofChunk -> ofChunk.slots().length).sum();
    Countdown countdown = new Countdown(count + 1, done);
    for (LostSlots ofChunk : lost) {
      for (int slot : ofChunk.slots()) {
        write(read, new Place(stripe, ofChunk.chunk(), slot), countdown::oneLess);
      }
    }
    countdown.oneLess();
  }

  private void write(ColumnRead read, Place place, Runnable done) {
    byte[] key = shard.metadata().key(place);
    byte[] record = read.wasMissing(place) ? RecordBytes.cut(read.contentOf(place)) : null;
    if (key == null) {
      done.run();
      return;
    }
    long hash = KeyHash.of(key);
    ServerLink server = shard.placement().dataServer(hash);
    if (record == null) {
      if (read.wasMissing(place) && read.mayHaveMissed()) {
        unrestored.unrestored(place.stripe(), server, Reason.OTHERS_AWAY);
      }
      done.run();
      return;
    }
    shard
        .items()
        .setRecord(
            Key.of(key),
            hash,
            Unpooled.wrappedBuffer(record),
            stored -> {
              if (stored == Stored.DONE) {
                statistics.restored().add(record.length);
              } else if (stored == Stored.NO_MEMORY) {
                unrestored.unrestored(place.stripe(), server, Reason.NO_MEMORY);
              }
              done.run();
            });
  }
}
