package io.counterpart.lab.tier;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.lab.tier.arm.TierUnderTest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Times the repair of a server from the moment at which the tier finds the replacement. It polls
 * once a millisecond, on the tier's event loop.
 */
final class RepairWatch {
  private static final int LIMIT_SECONDS = 900;

  private final TierUnderTest tier;
  private final CompletableFuture<Long> nanos = new CompletableFuture<>();
  private long restoredBefore;
  private long lookedNanos;
  private long beganNanos;
  private boolean began;

  private RepairWatch(TierUnderTest tier) {
    this.tier = tier;
  }

  /** Starts polling; before the server is killed. */
  static RepairWatch begin(TierUnderTest tier) throws IOException {
    RepairWatch watch = new RepairWatch(tier);
    tier.<Boolean>onLoop(
        done -> {
          watch.restoredBefore = watch.restored();
          watch.lookedNanos = System.nanoTime();
          watch.look();
          done.complete(true);
        });
    return watch;
  }

  /**
   * Waits for the end.
   *
   * @return the time that the repair took, in nanoseconds
   * @throws IOException if it does not end in a quarter of an hour
   */
  long await() throws IOException {
    return TierUnderTest.await(nanos, LIMIT_SECONDS);
  }

  private void look() {
    CodedShard shard = tier.shard();
    long now = System.nanoTime();
    if (!began && (shard.serversToRestore() > 0 || restored() > restoredBefore)) {
      began = true;
      beganNanos = lookedNanos;
    }
    lookedNanos = now;
    if (began && shard.serversToRestore() == 0) {
      nanos.complete(now - beganNanos);
    } else {
      tier.loop().schedule(this::look, 1, TimeUnit.MILLISECONDS);
    }
  }

  private long restored() {
    CodedStatistics statistics = tier.shard().statistics();
    return statistics.restored().values() + statistics.restoredParity().values();
  }
}
