package io.counterpart.lab.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A row in simulated time: a writer, two readers beside it, and replicas of which one may be late.
 * Each operation takes effect at a random moment between its start and its end.
 */
final class SimulatedRegister {
  private static final long MILLI = 1_000_000;
  private static final int OPERATIONS = 2_000;
  private static final int READERS = 3;

  private final Random random;
  private final List<long[]> effects = new ArrayList<>(); // version, nanos

  SimulatedRegister(Random random) {
    this.random = random;
  }

  /**
   * @param lagNanos with which one of three replicas gets each version; 0: linearizable
   */
  StalenessReport run(long lagNanos) {
    OperationHistory history = new OperationHistory();
    long now = -1_000 * MILLI;
    for (int version = 1; version <= OPERATIONS; version++) {
      long invoked = now + nanos();
      long effect = invoked + nanos();
      now = effect + nanos();
      effects.add(new long[] {version, effect});
      history.add(new TimedWrite(0, 0, version, invoked, now));
    }
    effects.sort(Comparator.comparingLong(each -> each[1]));
    for (int session = 0; session < READERS; session++) {
      long time = -1_000 * MILLI;
      for (int i = 0; i < OPERATIONS; i++) {
        long started = time + nanos();
        long effect = started + nanos();
        time = effect + nanos();
        boolean late = random.nextInt(3) == 0;
        history.add(
            new TimedRead(session, 0, started, time, version(late ? effect - lagNanos : effect)));
      }
    }
    return history.check();
  }

  private long nanos() {
    return 1 + (long) (random.nextDouble() * 10 * MILLI);
  }

  private long version(long nanos) {
    long found = 0;
    for (long[] effect : effects) {
      if (effect[1] > nanos) {
        break;
      }
      found = effect[0];
    }
    return found;
  }
}
