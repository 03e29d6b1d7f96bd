package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.shard.Shard;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parity items of a stripe as the servers hold them after a restart, each with its last
 * included write. The items may be of different states. Belongs to the shard's event loop.
 */
public final class StripeParity {
  private final byte[] @Nullable [] items;
  private final long[] folded;

  /**
   * @param count parity chunks of a stripe
   */
  public StripeParity(int count) {
    items = new byte[count][];
    folded = new long[count];
  }

  /** Reads all items from their servers. */
  public void read(Shard shard, int stripe, Runnable done) {
    Countdown countdown = new Countdown(items.length, done);
    for (int i = 0; i < items.length; i++) {
      int number = i;
      ParityItem.read(
          shard,
          stripe,
          i,
          new Tally(),
          item -> {
            if (item != null) {
              items[number] = item.bytes();
              folded[number] = item.folded();
            }
            countdown.oneLess();
          });
    }
  }

  /** Bytes of each item, null where it is missing; may be changed. */
  public byte[] @Nullable [] items() {
    return items;
  }

  /** Sequence of the last write in an existing item; 0 for a missing one. */
  public long folded(int number) {
    return folded[number];
  }

  /** The newest of {@link #folded}; 0 without any item. */
  public long newest() {
    return Arrays.stream(folded).max().orElse(0);
  }
}
