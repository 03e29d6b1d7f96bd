package io.counterpart.cache.coded.shard;

/**
 * Limits the stripes that one kind of work processes at once. Work on several stripes hides the
 * servers' latency. Beyond the first stripe a bound on bytes applies, because all objects of a
 * stripe may be in memory. Belongs to the shard's event loop.
 */
public final class StripeBudget {
  private static final long MOST_BYTES = 16 << 20;

  private final Shard shard;
  private final int most;
  private int count;
  private long bytes;

  public StripeBudget(Shard shard, int most) {
    this.shard = shard;
    this.most = most;
  }

  /** Number of stripes under work. */
  public int count() {
    return count;
  }

  /** Whether work may begin in one more stripe. */
  public boolean admits(int stripe) {
    return count == 0 || count < most && bytes + shard.dataBytes(stripe) <= MOST_BYTES;
  }

  /**
   * Notes that work begins in a stripe.
   *
   * @return a callback to run once, when it ends
   */
  public Runnable begin(int stripe) {
    long begun = shard.dataBytes(stripe);
    count++;
    bytes += begun;
    return () -> {
      count--;
      bytes -= begun;
    };
  }
}
