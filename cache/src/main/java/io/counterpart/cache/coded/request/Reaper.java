package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Expiries;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Deletes expired objects that nobody asks for, a few at a time, as a read would. It knows them by
 * their noted expiry. Belongs to the shard's event loop.
 */
public final class Reaper {
  private static final int LOOK_MILLIS = 500;
  private static final int OBJECTS_AT_ONCE = 32;

  private final Shard shard;
  private final CodedObjects objects;
  private final Expiries expiries;
  private final Background background;

  public Reaper(Shard shard, CodedObjects objects, Expiries expiries, Background background) {
    this.shard = shard;
    this.objects = objects;
    this.expiries = expiries;
    this.background = background;
  }

  public void begin() {
    background.after(LOOK_MILLIS, this::look);
  }

  private void look() {
    long[] hashes = expiries.takeExpired();
    if (hashes.length == 0) {
      background.after(LOOK_MILLIS, this::look);
    } else {
      reap(hashes, 0);
    }
  }

  private void reap(long[] hashes, int from) {
    if (from >= hashes.length) {
      look();
    } else if (!background.mayWork()) {
      background.after(LOOK_MILLIS, () -> reap(hashes, from));
    } else {
      int end = Math.min(from + OBJECTS_AT_ONCE, hashes.length);
      long beginNanos = System.nanoTime();
      Countdown countdown =
          new Countdown(
              end - from + 1, () -> background.afterPause(beginNanos, () -> reap(hashes, end)));
      Arrays.stream(hashes, from, end).forEach(hash -> reap(hash, countdown::oneLess));
      countdown.oneLess();
    }
  }

  private void reap(long hash, Runnable done) {
    Set<Key> keys = keys(hash);
    Countdown countdown = new Countdown(keys.size() + 1, done);
    keys.forEach(
        key ->
            objects.expire(
                key,
                isKnown -> {
                  if (!isKnown) {
                    expiries.addAgain(hash); // servers went away just now
                  }
                  countdown.oneLess();
                }));
    countdown.oneLess();
  }

  /**
   * The keys with this hash, usually one; none if the object is gone. Servers do not change now.
   */
  private Set<Key> keys(long hash) {
    Set<Key> keys = new LinkedHashSet<>();
    int ring = shard.placement().ring(hash);
    for (long candidate = shard.objects().find(hash);
        candidate != ObjectIndex.NONE;
        candidate = shard.objects().findNext(hash, candidate)) {
      int stripe = ObjectIndex.stripe(candidate);
      DataRings layout = new DataRings(shard.stripes().layout(stripe));
      byte[] key =
          layout.holdsData(ring)
              ? shard.metadata().key(stripe, layout.chunk(ring), ObjectIndex.slot(candidate))
              : null;
      if (key != null && KeyHash.of(key) == hash) {
        keys.add(Key.of(key));
      }
    }
    return keys;
  }
}
