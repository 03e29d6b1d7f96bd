package io.counterpart.core.staleness.estimate;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;

/**
 * Replicas that were away, and may still lack what was written meanwhile. Samples of writes cannot
 * tell: they are about the writes since. Other nodes keep hints for a replica that is away, and
 * deliver them when it is back. A replica so catches up for as long as it was away, and for some
 * least time; longer while a node has hints for it ({@link #owes}), or while one that may have them
 * was away itself.
 *
 * <p>Who was away before the start is unknown, and hints of that time may still be on their way. So
 * every replica counts as back since the start, after an absence of a given time.
 *
 * <p>Worked, with a minute at least: a replica that was away from 10:00 to 10:20 catches up until
 * 10:40; one that was away for 3 s, for a minute. After a start at 9:00 with 3 h for absences
 * before it, all catch up until 12:00; the one that was away from 10:00 to 10:20 until 14:40, as
 * its absence counts from 6:00.
 *
 * <p>The node that observes may have been away itself, for others: it is paused, observes nothing,
 * and does not know of the hints that others have for it. A round of observations that comes late
 * tells ({@link #observed}).
 *
 * <p>Thread-safe; one thread observes. Times are monotonic nanoseconds. Memory is bounded by the
 * nodes that were ever there.
 */
public final class Absences<E> {
  /**
   * @param sinceNanos when it left; of several absences that count as one, the first time
   * @param leftNanos the last time
   * @param untilNanos only while it is there
   */
  private record Absence(long sinceNanos, long leftNanos, boolean there, long untilNanos) {}

  /** Rounds come every second, and writes wait for two: those of a longer pause are hints. */
  private static final long LONGEST_ROUND_NANOS = Duration.ofSeconds(2).toNanos();

  private final ConcurrentMap<E, Absence> absences = new ConcurrentHashMap<>();

  /** Nodes that are in the ring no more, and may have been away then. */
  private final Set<E> removed = ConcurrentHashMap.newKeySet();

  private final long leastNanos;
  private final Absence beforeStart;
  private volatile long roundNanos;

  /** From the end of the first round on. */
  private volatile boolean observing;

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
    this.beforeStart = new Absence(startNanos - away, startNanos - away, true, startNanos + away);
  }

  /** Whether a replica is there at that time. */
  public void observe(E replica, boolean there, long nowNanos) {
    removed.remove(replica);
    Absence known = latest(replica);
    if (!there) {
      // one that goes away while it catches up lacks the writes of both absences
      if (known.there()) {
        long since = lacks(replica, nowNanos) ? known.sinceNanos() : nowNanos;
        absences.put(replica, new Absence(since, nowNanos, false, 0));
      }
    } else if (!known.there()) {
      long away = Math.max(leastNanos, nowNanos - known.sinceNanos());
      absences.put(
          replica, new Absence(known.sinceNanos(), known.leftNanos(), true, nowNanos + away));
    } else if (!lacks(replica, nowNanos)) {
      absences.remove(replica);
    }
  }

  /**
   * All replicas were observed now. If that is long after the last time, this node was away.
   *
   * @param self the node that observes
   */
  public void observed(E self, long nowNanos) {
    if (observing && isLate(nowNanos) && !isAway(self)) {
      observe(self, false, roundNanos);
      observe(self, true, nowNanos);
    }
    roundNanos = nowNanos;
    observing = true;
  }

  private boolean isLate(long nowNanos) {
    return nowNanos - roundNanos > LONGEST_ROUND_NANOS;
  }

  /** Whether one of the replicas is away, or may still lack what was written meanwhile. */
  public boolean anyCatchesUp(Collection<E> replicas, long nowNanos) {
    if (observing && isLate(nowNanos)) {
      return true; // nobody has looked since
    }
    for (E replica : replicas) {
      if (lacks(replica, nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a replica was not there when last observed. */
  public boolean isAway(E replica) {
    return !latest(replica).there();
  }

  /**
   * A node has another address from now on: it was away, be it for a moment.
   *
   * @param isTaken whether another node has the address of before now: it was away as well
   */
  public void moved(E from, E to, boolean isTaken, long nowNanos) {
    observe(from, false, nowNanos);
    absences.put(to, latest(from));
    if (!isTaken) {
      absences.remove(from);
    }
  }

  /** A node is there that never was. */
  public void joined(E node, long nowNanos) {
    if (!isAway(node)) { // otherwise in place of one at its address
      tookOver(node, nowNanos);
    }
  }

  /**
   * A node has ranges that it had not: its rows there come from others, so it lacks what one of
   * these may lack. Writes that this one is sent later, and that are the new owner's now, go to the
   * new owner.
   */
  public void tookOver(E node, long nowNanos) {
    removed.remove(node);
    long since = catchesUp(beforeStart, nowNanos) ? beforeStart.sinceNanos() : nowNanos;
    for (Map.Entry<E, Absence> each : absences.entrySet()) {
      Absence other = each.getValue();
      boolean lacks = catchesUp(other, nowNanos) || isWithHolders(other, nowNanos);
      if (lacks && !removed.contains(each.getKey()) && other.sinceNanos() - since < 0) {
        since = other.sinceNanos();
      }
    }
    Absence known = latest(node);
    // writes that it keeps for others since an absence of its own are still with it
    long left = catchesUp(known, nowNanos) ? known.leftNanos() : since;
    long away = Math.max(leastNanos, nowNanos - since);
    absences.put(node, new Absence(since, left, known.there(), nowNanos + away));
  }

  /** A node has left the ring: no rows come from it any more, but it may keep writes for others. */
  public void removed(E node) {
    removed.add(node);
  }

  /**
   * A replica that was away has not caught up while there are writes to be sent to it.
   *
   * @param owing whether this node has some; asked only when it would else have caught up soon
   */
  public void owes(E replica, BooleanSupplier owing, long nowNanos) {
    Absence known = latest(replica);
    long left = known.untilNanos() - nowNanos;
    // nothing is left of the absence before the start once it is over
    boolean counts = left > 0 || absences.containsKey(replica);
    if (counts && known.there() && left < leastNanos && owing.getAsBoolean()) {
      absences.put(
          replica, new Absence(known.sinceNanos(), known.leftNanos(), true, nowNanos + leastNanos));
    }
  }

  private boolean lacks(E replica, long nowNanos) {
    Absence known = absences.get(replica);
    return known == null
        ? catchesUp(beforeStart, nowNanos)
        : catchesUp(known, nowNanos) || isWithHolders(known, nowNanos);
  }

  /**
   * Whether a node that kept writes for it went away before it had them all, and has yet to send.
   * One that had been away before it, too, may have been there in between. Of two that count as
   * away since before the start nobody knows: their own time covers that.
   */
  private boolean isWithHolders(Absence absence, long nowNanos) {
    return absences.values().stream()
        .anyMatch(
            holder ->
                holder.sinceNanos() != absence.sinceNanos()
                    && holder.leftNanos() - absence.sinceNanos() > 0
                    && holder.sinceNanos() - absence.untilNanos() < 0
                    && catchesUp(holder, nowNanos));
  }

  private Absence latest(E replica) {
    return absences.getOrDefault(replica, beforeStart);
  }

  private static boolean catchesUp(Absence absence, long nowNanos) {
    return !absence.there() || absence.untilNanos() - nowNanos > 0;
  }
}
