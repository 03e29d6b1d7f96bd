package io.counterpart.cache.coded;

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
final class LeftReplay {
  private final Shard shard;
  private final Folding folding;
  private final ObjectReads reads;
  private final CodedStatistics statistics;

  LeftReplay(Parts parts) {
    this.shard = parts.shard();
    this.folding = parts.folding();
    this.reads = parts.reads();
    this.statistics = parts.statistics();
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

  /** One stripe. */
  private final class OfStripe {
    private final int stripe;
    private final List<LeftSlot> left;
    private final Runnable done;

    /** What parity has too much, by place within the stripe. */
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

    /** The object as it is in its other place, in which nobody has changed it. */
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
            if (version != null) {
              records.put(place.within(), version.bytes());
            }
            next.run();
          });
    }

    private void update() {
      long sequence = left.get(0).sequence();
      long newest = Math.max(sequence, parity.newest());
      byte[][] deltas =
          shard
              .coder()
              .encode(
                  shard.slotBytes(stripe),
                  shard.slotsPerChunk(stripe),
                  taker -> records.forEach((within, record) -> taker.accept(record, within)));
      boolean isKnown = records.size() == left.size();
      byte[] @Nullable [] items = parity.items();
      for (int i = 0; i < items.length; i++) {
        byte[] bytes = items[i];
        if (bytes != null && parity.folded(i) < sequence) {
          if (isKnown) {
            Xor.into(bytes, deltas[i]);
          } else {
            items[i] = null; // nobody shall decode with it
          }
        }
      }
      folding.write(stripe, items, newest, statistics.scalingParity(), this::end);
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
