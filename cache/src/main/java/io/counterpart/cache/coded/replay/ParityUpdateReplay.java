package io.counterpart.cache.coded.replay;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.parity.StripeParity;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.metadata.LeftSlot;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finishes parity updates that a crash interrupted: subtracts from each outdated parity item the
 * records of objects that moved to another stripe. Runs before the journals are read; every journal
 * entry of such a stripe is already in its parity. Belongs to the shard's event loop.
 */
final class ParityUpdateReplay {
  private final Shard shard;
  private final Folding folding;
  private final ObjectReads reads;
  private final CodedStatistics statistics;

  ParityUpdateReplay(ShardServices services) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.reads = services.reads();
    this.statistics = services.statistics();
  }

  void begin(Runnable done) {
    Map<Integer, List<LeftSlot>> stripes = new TreeMap<>();
    for (LeftSlot left : shard.metadata().log().leftSlots()) {
      stripes.computeIfAbsent(left.stripe(), stripe -> new ArrayList<>()).add(left);
    }
    Countdown countdown = new Countdown(stripes.size() + 1, done);
    stripes.forEach((stripe, left) -> new OfStripe(stripe, left, countdown::oneLess).begin());
    countdown.oneLess();
  }

  /** The replay of one stripe. */
  private final class OfStripe {
    private final int stripe;
    private final List<LeftSlot> left;
    private final Runnable done;

    /** The records to subtract from parity, by place within the stripe. */
    private final Map<Integer, byte[]> records = new TreeMap<>();

    private final StripeParity parity = new StripeParity(shard.code().parityCount());

    OfStripe(int stripe, List<LeftSlot> left, Runnable done) {
      this.stripe = stripe;
      this.left = left;
      this.done = done;
    }

    void begin() {
      Countdown countdown = new Countdown(left.size() + 1, this::update);
      left.forEach(slot -> readRecord(slot, countdown::oneLess));
      parity.read(shard, stripe, countdown::oneLess);
    }

    /**
     * Reads the object at its other place. If it has changed since it left (possible after a failed
     * update of parity), its record is not the one that parity includes.
     */
    private void readRecord(LeftSlot slot, Runnable next) {
      Key key = Key.of(slot.key());
      Place place = place(slot);
      Place other = shard.placement().find(key, KeyHash.of(slot.key()), place);
      if (other == null) {
        next.run();
        return;
      }
      reads.load(
          key,
          other,
          version -> {
            if (version != null && version.sequence() <= slot.sequence()) {
              records.put(place.within(), version.bytes());
            }
            next.run();
          });
    }

    /**
     * Writes all items with the sequence of the newest. If the newest was folded after the objects
     * had left, an older item may lack more than that: it is encoded anew.
     */
    private void update() {
      long last = left.stream().mapToLong(LeftSlot::sequence).max().orElseThrow();
      long newest = Math.max(last, parity.newest());
      byte[] @Nullable [] items = parity.items();
      for (int i = 0; i < items.length; i++) {
        byte[] bytes = items[i];
        long folded = parity.folded(i);
        if (bytes != null && folded < newest) {
          items[i] =
              newest > last
                  ? null
                  : without(bytes, i, left.stream().filter(of -> of.sequence() > folded).toList());
        }
      }
      folding.write(stripe, items, newest, statistics.scalingParity(), this::end);
    }

    /**
     * A parity item without these records; null if a record is unknown: then nothing may decode
     * with the item.
     */
    private byte @Nullable [] without(byte[] item, int number, List<LeftSlot> included) {
      Map<Integer, byte[]> known = new TreeMap<>(records);
      known.keySet().retainAll(included.stream().map(slot -> place(slot).within()).toList());
      if (known.size() < included.size()) {
        return null;
      }
      byte[][] deltas =
          shard
              .coder()
              .encode(
                  shard.slotBytes(stripe),
                  shard.slotsPerChunk(stripe),
                  taker -> known.forEach((within, record) -> taker.accept(record, within)));
      Xor.into(item, deltas[number]);
      return item;
    }

    private void end() {
      for (LeftSlot slot : left) {
        Place place = place(slot);
        if (Arrays.equals(shard.metadata().key(place), slot.key())) {
          shard.free(place, KeyHash.of(slot.key()));
        }
      }
      shard.metadata().folded(stripe);
      done.run();
    }

    private Place place(LeftSlot slot) {
      return new Place(slot.stripe(), slot.chunk(), slot.slot());
    }
  }
}
