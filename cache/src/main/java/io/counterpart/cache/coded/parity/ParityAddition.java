package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Coder;
import org.jspecify.annotations.Nullable;

/**
 * Adds the parity of deltas to the existing parity items of a stripe and writes them. The items
 * come from the cache of recent parity, else from their servers. If one is missing, encodes all
 * parity from data instead. The caller has exclusive use of the stripe. Belongs to the shard's
 * event loop.
 */
final class ParityAddition {
  private final Shard shard;
  private final Folding folding;
  private final int stripe;
  private final int slotBytes;
  private final Coder.SlotSource deltas;
  private final byte[] @Nullable [] parity;
  private final ParityTally tally;
  private long folded = -1;
  private boolean incomplete;

  ParityAddition(
      Shard shard, Folding folding, int stripe, Coder.SlotSource deltas, ParityTally tally) {
    this.shard = shard;
    this.folding = folding;
    this.stripe = stripe;
    this.slotBytes = shard.slotBytes(stripe);
    this.deltas = deltas;
    this.parity = new byte[shard.code().parityCount()][];
    this.tally = tally;
  }

  void begin(Runnable done) {
    byte[][] known = shard.recentParity().take(stripe);
    if (known != null && shard.placement().ringsDown() == 0) {
      write(known, done);
    } else {
      readItems(done);
    }
  }

  private void readItems(Runnable done) {
    Countdown countdown = new Countdown(parity.length, () -> read(done));
    for (int i = 0; i < parity.length; i++) {
      int number = i;
      if (shard.placement().parityServer(stripe, i).isUsable()) {
        ParityItem.read(
            shard,
            stripe,
            i,
            tally.read(),
            item -> {
              add(number, item);
              countdown.oneLess();
            });
      } else {
        countdown.oneLess();
      }
    }
  }

  private void add(int number, @Nullable ParityItem item) {
    if (item != null
        && item.bytes().length == slotBytes * shard.slotsPerChunk(stripe)
        && (folded < 0 || folded == item.folded())) {
      folded = item.folded();
      parity[number] = item.bytes();
    } else {
      incomplete = true;
    }
  }

  private void read(Runnable done) {
    if (incomplete) {
      folding.encodeAlone(stripe, done);
    } else {
      write(parity, done);
    }
  }

  /**
   * Adds the deltas and writes the items.
   *
   * @param items null where the server is not used: a delta alone must never be written
   */
  private void write(byte[] @Nullable [] items, Runnable done) {
    shard.coder().add(slotBytes, deltas, items);
    folding.write(stripe, items, tally, done);
  }
}
