package io.counterpart.lab.live;

import io.counterpart.lab.setup.Progress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Passes progress on to the page and to another listener. Readers poll the number of units done,
 * because a step counts far more often than anybody looks.
 */
final class LiveProgress implements Progress {
  private final Progress other;
  private final EventLog log;
  private final AtomicLong done;

  /** What the page knows of a step when it begins. */
  record Step(String label, long total) {}

  LiveProgress(Progress other, EventLog log, AtomicLong done) {
    this.other = other;
    this.log = log;
    this.done = done;
  }

  @Override
  public void say(String line) {
    other.say(line);
    log.add("line", line);
  }

  @Override
  public LongConsumer step(String label, long total) {
    LongConsumer shown = other.step(label, total);
    done.set(0);
    log.add("step", new Step(label, total));
    return units -> {
      shown.accept(units);
      done.setOpaque(units);
    };
  }
}
