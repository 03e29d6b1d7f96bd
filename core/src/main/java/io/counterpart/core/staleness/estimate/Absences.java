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
 * <p>Worked, with a minute at least: a replica that was away from 10:00 to 10:20 catches up until
 * 10:40; one that was away for 3 s, for a minute.
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

  /**
   * Nobody was away.
   *
   * @param least time to catch up, above 0
   */
  public Absences(Duration least) {
    if (least.isNegative() || least.isZero()) {
      throw new IllegalArgumentException("least is " + least + ", legal: above 0");
    }
    leastNanos = least.toNanos();
  }

  /** Whether a replica is there at that time. */
  public void observe(E replica, boolean there, long nowNanos) {
    Absence known = absences.get(replica);
    if (!there) {
      // one that goes away while it catches up lacks the writes of both absences
      if (known == null || known.there()) {
        long since = known == null || !catchesUp(known, nowNanos) ? nowNanos : known.sinceNanos();
        absences.put(replica, new Absence(since, false, 0));
      }
    } else if (known != null && !known.there()) {
      long away = Math.max(leastNanos, nowNanos - known.sinceNanos());
      absences.put(replica, new Absence(known.sinceNanos(), true, nowNanos + away));
    } else if (known != null && !catchesUp(known, nowNanos)) {
      absences.remove(replica);
    }
  }

  /** Whether one of the replicas is away, or may still lack what was written meanwhile. */
  public boolean anyCatchesUp(Collection<E> replicas, long nowNanos) {
    if (absences.isEmpty()) {
      return false;
    }
    for (E replica : replicas) {
      Absence known = absences.get(replica);
      if (known != null && catchesUp(known, nowNanos)) {
        return true;
      }
    }
    return false;
  }

  private static boolean catchesUp(Absence absence, long nowNanos) {
    return !absence.there() || absence.untilNanos() - nowNanos > 0;
  }
}
