package io.counterpart.cache.coded.copies;

import io.counterpart.cache.ownership.CopyMembership;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A copy elsewhere, as its owner sees it. Belongs to the shard's event loop. */
final class FollowingCopy {
  private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(10);

  final long id;
  long durable;
  long heardNanos;
  long advancedNanos = System.nanoTime();

  /** Time since when the owner waits for it; 0 if it does not. */
  long lateNanos;

  /** Whether the log is durable only with this copy. */
  boolean isAwaited;

  /** Position from which on the log is durable only with this copy. */
  long awaitedFrom;

  /** Whether the servers' marks name it, or are about to. */
  boolean isNamed;

  /** Runs once it does not count any more, if it has asked for that. */
  @Nullable Runnable leaves;

  FollowingCopy(long id) {
    this.id = id;
  }

  /** Has the log be durable only with this copy, from a position on. */
  void await(long from) {
    isAwaited = true;
    awaitedFrom = from;
  }

  /**
   * What decides about it.
   *
   * @param isAnyAwaited whether something waits for copies
   * @param local position up to which the log is on the owner's disk
   * @param localBefore the same a moment ago
   */
  CopyMembership.Copy seen(long now, boolean isAnyAwaited, long local, long localBefore) {
    boolean isLate = isAwaited && isAnyAwaited && durable < local;
    lateNanos = isLate ? lateNanos == 0 ? now : lateNanos : 0;
    return new CopyMembership.Copy(
        id,
        isAwaited,
        durable >= localBefore && leaves == null,
        now - heardNanos,
        isLate ? now - Math.max(lateNanos, advancedNanos) : 0);
  }

  /** Whether it has all that was relied on before it was waited for, and does not count yet. */
  boolean isComplete() {
    return isAwaited && !isNamed && durable >= awaitedFrom;
  }

  /** Whether it does not count and has not been heard of for long. */
  boolean isGone(long now) {
    return !isAwaited && now - heardNanos > FORGET_NANOS;
  }

  /** Ceases to wait for it; whether it has asked for that, and is told now. */
  boolean letGo() {
    isAwaited = false;
    isNamed = false;
    Runnable told = leaves;
    if (told != null) {
      told.run();
    }
    return told != null;
  }
}
