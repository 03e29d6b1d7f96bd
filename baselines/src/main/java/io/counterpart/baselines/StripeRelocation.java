package io.counterpart.baselines;

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
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the items of stripes to the servers that they have after a change of servers: all items of
 * a stripe at once, beside degraded reads of it. Items that no server holds are decoded. Belongs to
 * the shard's event loop. Paper: ECHash §4.3.
 */
final class StripeRelocation {
  private final Shard shard;
  private final ParityMoves parityMoves;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final RecordMove recordMove;
  private final @Nullable Consumer<Moved> taker;
  private final MovingSlots slots;

  /**
   * @param slots slots that may move
   * @param recordMove order of copying and deleting
   * @param taker gets objects that are on their new server but in a chunk of their old one; null if
   *     chunks are not tied to servers
   */
  StripeRelocation(
      ShardServices services,
      MovingSlots slots,
      RecordMove recordMove,
      @Nullable Consumer<Moved> taker) {
    this.shard = services.shard();
    this.parityMoves = new ParityMoves(shard, services.statistics().scalingParity());
    this.folding = services.folding();
    this.statistics = services.statistics();
    this.recordMove = recordMove;
    this.slots = slots;
    this.taker = taker;
  }

  /**
   * Moves a stripe's items.
   *
   * @param done gets whether all are on their servers, or cannot be recovered
   */
  void begin(int stripe, Consumer<Boolean> done) {
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
    private boolean isLost;
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
            moveNext(rounds(moving()).iterator());
          });
    }

    private void moveNext(Iterator<List<Slot>> rounds) {
      if (!rounds.hasNext()) {
        end();
        return;
      }
      List<Slot> moving = rounds.next();
      Countdown countdown = new Countdown(moving.size(), () -> decodeLost(() -> moveNext(rounds)));
      moving.forEach(slot -> move(slot, countdown::oneLess));
    }

    /**
     * Divides the moves into rounds, so that never more objects of a column are on no server than
     * the code tolerates.
     */
    private List<List<Slot>> rounds(List<Slot> moving) {
      if (moving.isEmpty()) {
        return List.of();
      }
      if (recordMove == RecordMove.COPY) {
        return List.of(moving);
      }
      int atOnce = Math.max(1, shard.code().parityCount() - shard.placement().ringsDown());
      int[] inColumn = new int[shard.slotsPerChunk(stripe)];
      Map<Integer, List<Slot>> rounds = new TreeMap<>();
      for (Slot slot : moving) {
        int round = inColumn[slot.place().slot()]++ / atOnce;
        rounds.computeIfAbsent(round, number -> new ArrayList<>()).add(slot);
      }
      return List.copyOf(rounds.values());
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
      Place place = new Place(stripe, chunk, slot);
      boolean isHome = shard.placement().isHome(place, hash);
      // an object in a chunk of its new server is already there
      if (!isHome || taker == null) {
        moving.add(new Slot(place, Key.of(key), hash, old, isHome));
      }
    }

    /** Moves one object. Its old server, if it has the record, has the current one. */
    private void move(Slot slot, Runnable next) {
      slot.old()
          .get(
              slot.key(),
              record -> {
                if (record != null && isRight(slot, record)) {
                  bring(slot, record, next);
                } else {
                  release(record);
                  lookAtNew(slot, next);
                }
              });
    }

    /** Whether a record is valid for another stripe; otherwise its readers verify it. */
    private boolean isRight(Slot slot, ByteBuf record) {
      if (slot.isHome()) {
        return true;
      }
      return shard.records().decode(slot.key().bytes(), record) != null
          && shard.stripes().state(stripe) != StripeState.FREE
          && shard.fits(record, stripe);
    }

    private static void release(@Nullable ByteBuf record) {
      if (record != null) {
        record.release();
      }
    }

    private void lookAtNew(Slot slot, Runnable next) {
      boolean mayHaveIt = !slot.old().isUsable();
      ServerLink server = shard.placement().dataServer(slot.hash());
      server.get(
          slot.key(),
          record -> {
            if (record == null || !isRight(slot, record)) {
              release(record);
              lost.add(slot);
              next.run();
              return;
            }
            take(slot, copy(slot, record));
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
      byte[] copy = copy(slot, record);
      recordMove.move(
          slot.old(),
          shard.placement().dataServer(slot.hash()),
          slot.key(),
          record,
          stored -> {
            if (stored == Stored.DONE) {
              statistics.moved().add(bytes);
              take(slot, copy);
            } else {
              isComplete = false;
            }
            next.run();
          });
      record.release();
    }

    /** The bytes, if a taker needs them. */
    private byte @Nullable [] copy(Slot slot, ByteBuf record) {
      return slot.isHome() ? null : ByteBufUtil.getBytes(record);
    }

    private void take(Slot slot, byte @Nullable [] record) {
      if (record != null && taker != null) {
        int joins = shard.placement().dataServer(slot.hash()).joins();
        taker.accept(new Moved(slot.place(), slot.key(), slot.hash(), record, slot.old(), joins));
      }
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
              bringDecoded(slot, read.contentOf(slot.place()), countdown::oneLess);
            }
          });
    }

    private void bringDecoded(Slot slot, byte @Nullable [] content, Runnable next) {
      byte[] record = RecordBytes.cut(content);
      if (record == null) {
        // an object that leaves its stripe must be known; others are decoded when they are read
        isComplete &= slot.isHome();
        isLost |= !slot.isHome();
        next.run();
      } else {
        bring(slot, Unpooled.wrappedBuffer(record), next);
      }
    }

    private void end() {
      shard.gates().leave(stripe);
      Runnable tell = () -> done.accept(isComplete);
      if (isLost && shard.placement().ringsDown() == 0) {
        folding.dropLost(stripe, tell);
      } else if (lacksParity) {
        folding.encode(stripe, tell);
      } else {
        tell.run();
      }
    }
  }

  /** A moving object. */
  private record Slot(Place place, Key key, long hash, ServerLink old, boolean isHome) {}
}
