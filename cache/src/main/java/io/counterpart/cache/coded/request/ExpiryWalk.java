package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Expiries;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.index.StripeState;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Learns the expiry of objects that were written before the start or whose expiry was forgotten. It
 * reads all records slowly, one chunk at a time. Objects written since the start need no walk.
 * Belongs to the shard's event loop.
 */
public final class ExpiryWalk {
  private static final int WAIT_MILLIS = 500;
  private static final int REST_MILLIS = 60_000;
  private static final int STRIPES_PASSED_AT_ONCE = 4096;
  private static final long BYTES_A_SECOND = 4 << 20;

  private final Shard shard;
  private final Expiries expiries;
  private final Background background;

  public ExpiryWalk(Shard shard, Expiries expiries, Background background) {
    this.shard = shard;
    this.expiries = expiries;
    this.background = background;
  }

  /**
   * Starts the walk.
   *
   * @param atOnce whether objects with unknown expiry exist
   */
  public void begin(boolean atOnce) {
    if (atOnce) {
      background.after(WAIT_MILLIS, () -> next(0, 0));
    } else {
      rest();
    }
  }

  private void rest() {
    background.after(REST_MILLIS, () -> begin(expiries.takeForgotten()));
  }

  private void next(int from, int chunk) {
    if (!background.mayWork()) {
      background.after(WAIT_MILLIS, () -> next(from, chunk));
      return;
    }
    int stripe = from;
    int end = Math.min(shard.stripes().end(), from + STRIPES_PASSED_AT_ONCE);
    while (stripe < end && shard.stripes().state(stripe) == StripeState.FREE) {
      stripe++;
    }
    int found = stripe;
    if (found < end) {
      read(found, found == from ? chunk : 0);
    } else if (end < shard.stripes().end()) {
      background.afterPause(System.nanoTime(), () -> next(found, 0));
    } else {
      rest();
    }
  }

  private void read(int stripe, int chunk) {
    long beginNanos = System.nanoTime();
    long[] bytes = new long[1];
    List<ObjectSlot> slots = ObjectSlot.in(shard, stripe, place -> place.chunk() == chunk);
    boolean isLast = chunk + 1 == shard.code().k();
    Runnable next = () -> next(isLast ? stripe + 1 : stripe, isLast ? 0 : chunk + 1);
    Countdown countdown =
        new Countdown(
            slots.size() + 1,
            () ->
                background.afterPause(
                    beginNanos, bytes[0] * TimeUnit.SECONDS.toNanos(1) / BYTES_A_SECOND, next));
    for (ObjectSlot slot : slots) {
      shard
          .items()
          .getRecord(
              slot.key(),
              slot.hash(),
              item -> {
                bytes[0] += note(slot, item);
                countdown.oneLess();
              });
    }
    countdown.oneLess();
  }

  /** Returns the bytes that were read. */
  private int note(ObjectSlot slot, @Nullable ByteBuf item) {
    if (item == null) {
      return 0; // a read decodes it
    }
    StoredRecord record = shard.records().decode(slot.key().bytes(), item);
    if (record != null) {
      expiries.add(slot.hash(), record.expirySeconds());
    }
    int bytes = item.readableBytes();
    item.release();
    return bytes;
  }
}
