package io.counterpart.cache.coded;

import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the items of one change of the rings to their new servers, stripe by stripe, beside
 * clients' requests: each is copied, then deleted where it was, so that it is readable all the
 * time. No parity changes, since a stripe knows rings, not servers. What its old server does not
 * have is decoded. Doing it again moves what is left. Belongs to the shard's event loop. Paper:
 * ECHash §4.3.
 */
final class Migration {
  private static final Logger logger = LoggerFactory.getLogger(Migration.class);
  private static final int STRIPES_AT_ONCE = 64;
  private static final int RETRY_MILLIS = 500;

  private final Shard shard;
  private final EventLoop loop;
  private final CodedStatistics statistics;
  private final Runnable done;
  private int nextStripe;
  private int underWay;
  private boolean proceeding;
  private boolean isComplete = true;
  private boolean ended;

  Migration(Shard shard, EventLoop loop, CodedStatistics statistics, Runnable done) {
    this.shard = shard;
    this.loop = loop;
    this.statistics = statistics;
    this.done = done;
  }

  void begin() {
    proceed();
  }

  private void proceed() {
    if (proceeding || ended) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay < STRIPES_AT_ONCE && nextStripe < shard.stripes().end()) {
      underWay++;
      int stripe = nextStripe++;
      shard.gates().enterAlone(stripe, () -> migrate(stripe));
    }
    proceeding = false;
    if (underWay == 0 && isComplete) {
      ended = true;
      done.run();
    } else if (underWay == 0) {
      again();
    }
  }

  /** A new server is down or has no memory: what it could not take is still where it was. */
  private void again() {
    logger.warn("items could not be moved to where they belong; trying again");
    isComplete = true;
    nextStripe = 0;
    underWay = 1; // so that nothing begins meanwhile
    loop.schedule(
        () -> {
          underWay = 0;
          proceed();
        },
        RETRY_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private void migrate(int stripe) {
    if (shard.stripes().state(stripe) == StripeState.FREE) {
      end(stripe);
      return;
    }
    List<Slot> moving = new ArrayList<>();
    DataRings layout = new DataRings(shard.stripes().layout(stripe));
    for (int chunk = 0; chunk < shard.code().k(); chunk++) {
      if (shard.placement().changes(layout.ring(chunk))) {
        addMoving(stripe, chunk, moving);
      }
    }
    Countdown countdown =
        new Countdown(
            moving.size() + shard.code().parityCount(),
            () -> {
              int[] lost =
                  moving.stream().filter(slot -> slot.lost).mapToInt(slot -> slot.slot).toArray();
              if (lost.length == 0) {
                end(stripe);
              } else {
                decode(stripe, lost, moving);
              }
            });
    moving.forEach(slot -> move(slot, countdown));
    for (int i = 0; i < shard.code().parityCount(); i++) {
      moveParity(stripe, i, countdown);
    }
  }

  private void addMoving(int stripe, int chunk, List<Slot> moving) {
    int slots = shard.slotsPerChunk(stripe);
    for (int slot = 0; slot < slots; slot++) {
      byte[] key = shard.metadata().key(stripe, chunk, slot);
      if (key != null) {
        long hash = KeyHash.of(key);
        if (shard.placement().oldDataServer(hash) != null) {
          moving.add(new Slot(chunk, slot, Key.of(key), hash));
        }
      }
    }
  }

  private void move(Slot slot, Countdown countdown) {
    shard
        .items()
        .getRecord(
            slot.key,
            slot.hash,
            record -> {
              if (record == null) {
                slot.lost = true;
                countdown.oneLess();
                return;
              }
              int bytes = record.readableBytes();
              shard
                  .items()
                  .moveRecord(
                      slot.key,
                      slot.hash,
                      record,
                      stored -> {
                        moved(stored, bytes);
                        countdown.oneLess();
                      });
              record.release();
            });
  }

  private void moveParity(int stripe, int parity, Countdown countdown) {
    if (shard.placement().oldParityServer(stripe, parity) == null) {
      countdown.oneLess();
      return;
    }
    shard
        .items()
        .getParity(
            stripe,
            parity,
            item -> {
              if (item == null) {
                countdown.oneLess(); // of an open stripe, or to be encoded by the next folding
                return;
              }
              int bytes = item.readableBytes();
              statistics.scalingParityRead().add(bytes);
              shard
                  .items()
                  .moveParity(
                      stripe,
                      parity,
                      item,
                      stored -> {
                        movedParity(stored, bytes);
                        countdown.oneLess();
                      });
              item.release();
            });
  }

  /** Of an open stripe, what was not there comes from memory. */
  private void decode(int stripe, int[] columns, List<Slot> moving) {
    List<Slot> lost = moving.stream().filter(slot -> slot.lost).toList();
    ColumnRead.begin(
        shard,
        Columns.of(stripe, columns, statistics.upkeep()),
        read -> {
          Countdown countdown = new Countdown(lost.size(), () -> end(stripe));
          for (int column = 0; column < columns.length; column++) {
            Slot slot = lost.get(column);
            byte[] record = RecordBytes.cut(read.content(column, slot.chunk));
            if (record == null) {
              countdown.oneLess();
            } else {
              ByteBuf bytes = Unpooled.wrappedBuffer(record);
              shard
                  .items()
                  .moveRecord(
                      slot.key,
                      slot.hash,
                      bytes,
                      stored -> {
                        moved(stored, record.length);
                        countdown.oneLess();
                      });
            }
          }
        });
  }

  private void moved(Stored stored, int bytes) {
    if (stored == Stored.DONE) {
      statistics.moved().add(bytes);
    } else {
      isComplete = false;
    }
  }

  private void movedParity(Stored stored, int bytes) {
    if (stored == Stored.DONE) {
      statistics.scalingParityWritten().add(bytes);
    } else {
      isComplete = false;
    }
  }

  private void end(int stripe) {
    shard.gates().leave(stripe);
    underWay--;
    proceed();
  }

  /** An object on its way. */
  private static final class Slot {
    private final int chunk;
    private final int slot;
    private final Key key;
    private final long hash;
    private boolean lost;

    Slot(int chunk, int slot, Key key, long hash) {
      this.chunk = chunk;
      this.slot = slot;
      this.key = key;
      this.hash = hash;
    }
  }
}
