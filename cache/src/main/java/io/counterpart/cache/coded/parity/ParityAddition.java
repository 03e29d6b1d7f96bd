package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Xor;
import io.counterpart.cache.format.ParityFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds encoded deltas to the existing parity items of a stripe and writes them. The items come from
 * the cache of recent parity, else from their servers. If one is missing, encodes all parity from
 * data instead. The caller has exclusive use of the stripe. Belongs to the shard's event loop.
 */
final class ParityAddition {
  private final Shard shard;
  private final Folding folding;
  private final int stripe;
  private final byte[] @Nullable [] parity;
  private final LongSupplier last;
  private final ParityTally tally;
  private final ParityFormat format = new ParityFormat();
  private long folded = -1;
  private boolean incomplete;

  /**
   * @param parity of the deltas alone
   * @param last sequence for the items
   */
  ParityAddition(
      Shard shard,
      Folding folding,
      int stripe,
      byte[][] parity,
      LongSupplier last,
      ParityTally tally) {
    this.shard = shard;
    this.folding = folding;
    this.stripe = stripe;
    this.parity = parity;
    this.last = last;
    this.tally = tally;
  }

  void begin(Runnable done) {
    byte[][] known = shard.recentParity().get(stripe);
    if (known != null && shard.placement().ringsDown() == 0) {
      for (int i = 0; i < parity.length; i++) {
        Xor.into(Objects.requireNonNull(parity[i]), known[i]);
      }
      folding.write(stripe, parity, last.getAsLong(), tally, done);
    } else {
      readItems(done);
    }
  }

  private void readItems(Runnable done) {
    Countdown countdown = new Countdown(parity.length, () -> read(done));
    for (int i = 0; i < parity.length; i++) {
      int number = i;
      if (shard.placement().parityServer(stripe, i).isUsable()) {
        shard
            .items()
            .getParity(
                stripe,
                i,
                item -> {
                  add(number, item);
                  countdown.oneLess();
                });
      } else {
        parity[number] = null; // a delta alone must never be written
        countdown.oneLess();
      }
    }
  }

  private void add(int number, @Nullable ByteBuf item) {
    ParityFormat.Parity read = item == null ? null : format.decode(item);
    byte[] delta = parity[number];
    if (read != null
        && delta != null
        && read.parity() == number
        && read.bytes().readableBytes() == delta.length
        && (folded < 0 || folded == read.folded())) {
      folded = read.folded();
      Xor.into(delta, ByteBufUtil.getBytes(read.bytes()));
    } else {
      incomplete = true;
    }
    if (item != null) {
      tally.read().add(item.readableBytes());
      item.release();
    }
  }

  private void read(Runnable done) {
    if (incomplete) {
      folding.encodeAlone(stripe, done);
    } else {
      folding.write(stripe, parity, last.getAsLong(), tally, done);
    }
  }
}
