package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Replicas that were away, and may still lack what was written meanwhile. Samples of writes cannot
 * tell: they are about the writes since. Other nodes keep hints for a replica that is away, and
 * deliver them when it is back. A replica so catches up for as long as it was away, and for some
 * least time.
 *
 * <p>Who was away before the start is unknown, and hints of that time may still be on their way. So
 * every replica counts as back since the start, after an absence of a given time.
 *
 * <p>Worked, with a minute at least: a replica that was away from 10:00 to 10:20 catches up until
 * 10:40; one that was away for 3 s, for a minute. After a start at 9:00 with 3 h for absences
 * before it, all catch up until 12:00; the one that was away from 10:00 to 10:20 until 14:40, as
 * its absence counts from 6:00.
 *
 * <p>Thread-safe; one thread observes. Times are monotonic nanoseconds. Memory is bounded by the
 * nodes that were away.
 */
public final class Absences<E> {
  /**
   * @param untilNanos only while it is there
   */
  private record Absence(long sinceNanos, boolean there, long untilNanos) {}

  private final ConcurrentMap<E, Absence> absences = new ConcurrentHashMap<>();
  private final long leastNanos;
  private final Absence beforeStart;

  /**
   * At the start.
   *
   * @param least time to catch up, above 0
   * @param beforeStart for how long every replica counts as away before the start; 0 and above, but
   *     at least {@code least} counts
   */
  public Absences(Duration least, Duration beforeStart, long startNanos) {
    if (least.isNegative() || least.isZero()) {
      throw new IllegalArgumentException("least is " + least + ", legal: above 0");
    }
    if (beforeStart.isNegative()) {
      throw new IllegalArgumentException("beforeStart is " + beforeStart + ", legal: 0 and above");
    }
    leastNanos = least.toNanos();
    long away = Math.max(leastNanos, beforeStart.toNanos());
    this.beforeStart = new Absence(startNanos - away, true, startNanos + away);
  }

  /** Whether a replica is there at that time. */
  public void observe(E replica, boolean there, long nowNanos) {
    Absence known = latest(replica);
    if (!there) {
      // one that goes away while it catches up lacks the writes of both absences
      if (known.there()) {
        long since = catchesUp(known, nowNanos) ? known.sinceNanos() : nowNanos;
        absences.put(replica, new Absence(since, false, 0));
      }
    } else if (!known.there()) {
      long away = Math.max(leastNanos, nowNanos - known.sinceNanos());
      absences.put(replica, new Absence(known.sinceNanos(), true, nowNanos + away));
    } else if (!catchesUp(known, nowNanos)) {
      absences.remove(replica);
    }
  }

  /** Whether one of the replicas is away, or may still lack what was written meanwhile. */
  public boolean anyCatchesUp(Collection<E> replicas, long nowNanos) {
    for (E replica : replicas) {
      if (catchesUp(latest(replica), nowNanos)) {
        return true;
      }
    }
    return false;
  }

  private Absence latest(E replica) {
    return absences.getOrDefault(replica, beforeStart);
  }

  private static boolean catchesUp(Absence absence, long nowNanos) {
    return !absence.there() || absence.untilNanos() - nowNanos > 0;
  }
}
