package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ParityMoves;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.MovingSlots;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.RecordBytes;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves the items of stripes to the servers that they have after a change of servers: all items of
 * a stripe at once, beside degraded reads of it. Items that no server holds are decoded. Nothing
 * else changes, because a stripe refers to rings, not to servers. Belongs to the shard's event
 * loop. Paper: ECHash §4.3.
 */
public final class Relocation implements Migration.Step {
  private static final int STRIPES_AT_ONCE = 128;

  private final Shard shard;
  private final ParityMoves parityMoves;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final boolean resumed;
  private final MovingSlots slots;

  /**
   * @param resumed whether the change began before a restart: an old server may then have an
   *     outdated copy
   */
  public Relocation(ShardServices services, boolean resumed) {
    this.shard = services.shard();
    this.parityMoves = new ParityMoves(shard, services.statistics().scalingParity());
    this.folding = services.folding();
    this.statistics = services.statistics();
    this.resumed = resumed;
    // a write under way may have sent a record to its old server before the index has it
    this.slots = new MovingSlots(shard, shard.gates().busy());
  }

  @Override
  public int stripesAtOnce() {
    return STRIPES_AT_ONCE;
  }

  /**
   * Moves a stripe's items.
   *
   * @param done gets whether all are on their servers, or cannot be recovered
   */
  @Override
  public void begin(int stripe, Consumer<Boolean> done) {
    shard
        .gates()
        .enterReading(
            stripe,
            () -> {
              if (shard.stripes().state(stripe) == StripeState.FREE) {
                shard.gates().leave(stripe);
                done.accept(true);
              } else {
                new OfStripe(stripe, done).begin();
              }
            });
  }

  /** The moves of one stripe. */
  private final class OfStripe {
    private final int stripe;
    private final Consumer<Boolean> done;
    private final List<Slot> lost = new ArrayList<>();
    private boolean isComplete = true;
    private boolean lacksParity;

    OfStripe(int stripe, Consumer<Boolean> done) {
      this.stripe = stripe;
      this.done = done;
    }

    void begin() {
      parityMoves.begin(
          stripe,
          result -> {
            isComplete &= result.isComplete();
            lacksParity = result.isLacking();
            moveObjects(moving());
          });
    }

    private void moveObjects(List<Slot> moving) {
      Countdown countdown = new Countdown(moving.size() + 1, () -> decodeLost(this::end));
      moving.forEach(slot -> move(slot, countdown::oneLess));
      countdown.oneLess();
    }

    private List<Slot> moving() {
      List<Slot> moving = new ArrayList<>();
      if (shard.stripes().state(stripe) == StripeState.FREE) {
        return moving; // a client has deleted everything meanwhile
      }
      slots.forEach(stripe, within -> addMoving(Place.chunk(within), Place.slot(within), moving));
      return moving;
    }

    private void addMoving(int chunk, int slot, List<Slot> moving) {
      byte[] key = shard.metadata().key(stripe, chunk, slot);
      if (key == null) {
        return;
      }
      long hash = KeyHash.of(key);
      ServerLink old = shard.placement().oldDataServer(hash);
      if (old == null) {
        return;
      }
      moving.add(new Slot(new Place(stripe, chunk, slot), Key.of(key), hash, old));
    }

    /**
     * Moves one object. Its old server, if it has the record, has the current one, unless there was
     * a crash.
     */
    private void move(Slot slot, Runnable next) {
      if (resumed) {
        shard
            .items()
            .getRecord(
                slot.key(),
                slot.hash(),
                record -> {
                  if (record == null) {
                    lost.add(slot);
                    next.run();
                  } else {
                    bring(slot, record, next);
                  }
                });
        return;
      }
      slot.old()
          .get(
              slot.key(),
              record -> {
                if (record == null) {
                  lookAtNew(slot, next);
                } else {
                  bring(slot, record, next);
                }
              });
    }

    private void lookAtNew(Slot slot, Runnable next) {
      boolean mayHaveIt = !slot.old().isUsable();
      ServerLink server = shard.placement().dataServer(slot.hash());
      server.get(
          slot.key(),
          record -> {
            if (record == null) {
              lost.add(slot);
              next.run();
              return;
            }
            record.release();
            if (mayHaveIt) {
              slot.old().delete(slot.key(), next); // now stale: emptied before use
            } else {
              next.run();
            }
          });
    }

    /** Moves a record, and releases it. */
    private void bring(Slot slot, ByteBuf record, Runnable next) {
      int bytes = record.readableBytes();
      shard
          .items()
          .moveRecord(
              slot.key(),
              slot.hash(),
              record,
              stored -> {
                if (stored == Stored.DONE) {
                  statistics.moved().add(bytes);
                } else {
                  isComplete = false;
                }
                next.run();
              });
      record.release();
    }

    /** Decodes the missing objects; those of an open stripe come from memory. */
    private void decodeLost(Runnable next) {
      if (lost.isEmpty() || shard.stripes().state(stripe) == StripeState.FREE) {
        next.run();
        return;
      }
      List<Slot> decoded = List.copyOf(lost);
      lost.clear();
      int[] columns = decoded.stream().mapToInt(slot -> slot.place().slot()).distinct().toArray();
      ColumnRead.begin(
          shard,
          new Columns(stripe, columns, statistics.upkeep()),
          read -> {
            Countdown countdown = new Countdown(decoded.size(), next);
            for (Slot slot : decoded) {
              bringDecoded(slot, read, countdown::oneLess);
            }
          });
    }

    private void bringDecoded(Slot slot, ColumnRead read, Runnable next) {
      byte[] record = RecordBytes.cut(read.contentOf(slot.place()));
      if (record == null) {
        isComplete &= !read.mayHaveMissed();
        next.run(); // it is lost, unless it can be decoded later
      } else {
        bring(slot, Unpooled.wrappedBuffer(record), next);
      }
    }

    private void end() {
      shard.gates().leave(stripe);
      if (lacksParity) {
        long losses = shard.placement().losses();
        isComplete &= !shard.placement().isAnyAway();
        folding.encode(
            stripe,
            () -> {
              // else nothing may be encoded, and nobody would know
              isComplete &= !shard.placement().isAnyAway() && shard.placement().losses() == losses;
              tell();
            });
      } else {
        tell();
      }
    }

    private void tell() {
      done.accept(isComplete);
    }
  }

  /** A moving object. */
  private record Slot(Place place, Key key, long hash, ServerLink old) {}
}
