package io.counterpart.cache.coded.copies;

import io.counterpart.cache.ownership.CopyMembership;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A copy elsewhere, as its owner sees it. Belongs to the shard's event loop. */
final class FollowingCopy {
  /** More than between two looks: the owner stood still, or could change nothing. */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long KEPT_UP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  final long id;
  long durable;
  long heardNanos;

  /** What the owner waits for, and the time since when; empty if it does not. */
  private @Nullable Target target;

  /** Least time without it after it was dropped. */
  private long pauseNanos;

  private long admissibleNanos = System.nanoTime();
  private long awaitedNanos;
  private long seenNanos = System.nanoTime();

  /** Whether the log is durable only with this copy. */
  boolean isAwaited;

  /** Position from which on the log is durable only with this copy. */
  long awaitedFrom;

  /** Whether the servers' marks name it, or are about to. */
  boolean isNamed;

  /** Runs once it does not count any more, if it has asked for that. */
  @Nullable Runnable leaves;

  private record Target(long position, long sinceNanos) {}

  FollowingCopy(long id) {
    this.id = id;
  }

  /** Has the log be durable only with this copy, from a position on. */
  void await(long from, long now) {
    isAwaited = true;
    awaitedFrom = from;
    awaitedNanos = now;
  }

  /**
   * Notes that it was dropped. If it has kept up for less than ten seconds, it is not waited for
   * again for some time, which doubles each time.
   */
  void dropped(long now) {
    boolean hadKeptUp = now - awaitedNanos > KEPT_UP_NANOS;
    long pause = Math.max(LEAST_PAUSE_NANOS, Math.min(2 * pauseNanos, MOST_PAUSE_NANOS));
    pauseNanos = hadKeptUp ? 0 : pause;
    admissibleNanos = now + pauseNanos;
  }

  /**
   * What decides about it. It is late if what the owner had when it began to wait is not there; a
   * few bytes now and then do not help. While the owner does not look, it is neither late nor
   * silent: its messages are not read then.
   *
   * @param isAnyAwaited whether something waits for copies
   * @param local position up to which the log is on the owner's disk
   * @param localBefore the same a moment ago
   */
  CopyMembership.Copy seen(long now, boolean isAnyAwaited, long local, long localBefore) {
    if (now - seenNanos > GAP_NANOS) {
      heardNanos = now;
      target = null;
    }
    seenNanos = now;
    boolean isLate = isAwaited && isAnyAwaited && durable < local;
    Target before = target;
    Target awaited = before == null || durable >= before.position ? new Target(local, now) : before;
    target = isLate ? awaited : null;
    return new CopyMembership.Copy(
        id,
        isAwaited,
        durable >= localBefore && leaves == null && now - admissibleNanos >= 0,
        now - heardNanos,
        isLate ? now - awaited.sinceNanos : 0);
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
    leaves = null;
    if (told != null) {
      told.run();
    }
    return told != null;
  }
}
