package io.counterpart.lab.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds stale reads in a finished history. It knows nothing of replicas, levels or estimates.
 *
 * <p>Each key has one writer, whose versions count up; all times are of one monotonic clock. A read
 * is stale if it returned a version below the largest one acknowledged before it started. Reads
 * that overlap a write may return it or not. The age of a stale read runs from the acknowledgement
 * of the version after the returned one to the read's start.
 *
 * <p>Not thread-safe; one object for one history.
 */
final class StalenessCheck {
  private final Map<Integer, KeyWrites> keys = new HashMap<>();

  /**
   * Of a session and a key: the ends of its reads in order, each with the newest version by then.
   */
  private final Map<Long, List<TimedRead>> newestRead = new HashMap<>();

  private long stale;
  private long mostBehind;
  private long behind;
  private long oldestNanos;
  private long nonMonotonic;
  private long missedOwn;
  private long impossible;

  private StalenessCheck() {}

  static StalenessReport of(List<TimedWrite> writes, List<TimedRead> reads) {
    StalenessCheck check = new StalenessCheck();
    writes.stream()
        .sorted(Comparator.comparingLong(TimedWrite::version))
        .forEach(
            write -> check.keys.computeIfAbsent(write.key(), unused -> new KeyWrites()).add(write));
    reads.stream().sorted(Comparator.comparingLong(TimedRead::endedNanos)).forEach(check::judge);
    return new StalenessReport(
        reads.size(),
        check.stale,
        check.mostBehind,
        check.behind,
        check.oldestNanos / 1e6,
        new StalenessReport.Violations(check.nonMonotonic, check.missedOwn, check.impossible));
  }

  private void judge(TimedRead read) {
    KeyWrites writes = keys.getOrDefault(read.key(), new KeyWrites());
    impossible += writes.sentBy(read.endedNanos()) < read.version() ? 1 : 0;
    long acked = writes.ackedBefore(read.startedNanos());
    if (read.version() < acked) {
      long missed = acked - read.version();
      stale++;
      behind += missed;
      mostBehind = Math.max(mostBehind, missed);
      oldestNanos =
          Math.max(oldestNanos, read.startedNanos() - writes.outdatedNanos(read.version()));
      missedOwn += writes.isWrittenBy(read.session()) ? 1 : 0;
    }
    judgeOrder(read);
  }

  /** Reads come in the order of their ends. */
  private void judgeOrder(TimedRead read) {
    List<TimedRead> before =
        newestRead.computeIfAbsent(
            (long) read.session() << 32 | read.key() & 0xFFFF_FFFFL, unused -> new ArrayList<>());
    long newest = 0;
    for (int i = before.size() - 1; i >= 0; i--) {
      // only reads that were over when this one started
      if (before.get(i).endedNanos() - read.startedNanos() < 0) {
        newest = before.get(i).version();
        break;
      }
    }
    nonMonotonic += read.version() < newest ? 1 : 0;
    long last = before.isEmpty() ? 0 : before.get(before.size() - 1).version();
    before.add(
        new TimedRead(
            read.session(),
            read.key(),
            read.startedNanos(),
            read.endedNanos(),
            Math.max(last, read.version())));
  }

  /** The writes of a key, by version. */
  private static final class KeyWrites {
    private final List<TimedWrite> writes = new ArrayList<>();

    void add(TimedWrite write) {
      if (!writes.isEmpty()) {
        TimedWrite last = writes.get(writes.size() - 1);
        if (last.session() != write.session() || last.version() >= write.version()) {
          throw new IllegalArgumentException(
              "key %d: version %d of session %d after version %d of session %d, legal: one session"
                      .formatted(
                          write.key(),
                          write.version(),
                          write.session(),
                          last.version(),
                          last.session())
                  + " for each key, each version once");
        }
      }
      writes.add(write);
    }

    boolean isWrittenBy(int session) {
      return !writes.isEmpty() && writes.get(0).session() == session;
    }

    long ackedBefore(long nanos) {
      for (int i = writes.size() - 1; i >= 0; i--) {
        TimedWrite write = writes.get(i);
        if (write.isAcked() && write.ackedNanos() - nanos < 0) {
          return write.version();
        }
      }
      return 0;
    }

    long sentBy(long nanos) {
      for (int i = writes.size() - 1; i >= 0; i--) {
        if (writes.get(i).invokedNanos() - nanos < 0) {
          return writes.get(i).version();
        }
      }
      return 0;
    }

    /** When the first acknowledged version after that one was acknowledged. */
    long outdatedNanos(long version) {
      return writes.stream()
          .filter(write -> write.version() > version && write.isAcked())
          .mapToLong(TimedWrite::ackedNanos)
          .min()
          .orElseThrow();
    }
  }
}
