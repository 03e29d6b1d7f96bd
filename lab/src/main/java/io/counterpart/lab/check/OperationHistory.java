package io.counterpart.lab.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the operations of all sessions while they run. Thread-safe; grows by what it is given.
 */
public final class OperationHistory {
  private final List<TimedWrite> writes = new ArrayList<>();
  private final List<TimedRead> reads = new ArrayList<>();

  /** A write that is over. */
  public synchronized void add(TimedWrite write) {
    writes.add(write);
  }

  /** A read that is over. */
  public synchronized void add(TimedRead read) {
    reads.add(read);
  }

  /** Judges the reads; to be called when all operations are over, since acks may come late. */
  public synchronized StalenessReport check() {
    return StalenessCheck.of(writes, reads);
  }
}
