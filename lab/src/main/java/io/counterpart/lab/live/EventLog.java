package io.counterpart.lab.live;

import java.util.ArrayList;
import java.util.List;

/**
 * All events of a run, in order. The log only grows, and each reader keeps its own position: a late
 * reader starts at the beginning, and a stalled reader blocks nothing and fills no queue. The run
 * keeps the samples anyway; here each costs a reference. Thread-safe.
 */
final class EventLog {
  /** Events handed out at once: bounds what a reader renders before it sends. */
  private static final int BATCH = 200;

  private final long startNanos = System.nanoTime();
  private final List<Event> events = new ArrayList<>();
  private boolean ended;

  /**
   * One piece of news.
   *
   * @param second since the log began
   * @param type what it is, as the page knows it
   * @param value a record or a text, rendered when somebody reads it
   */
  record Event(double second, String type, Object value) {}

  /**
   * Events that a reader has not seen.
   *
   * @param last whether none will follow
   */
  record News(List<Event> events, boolean last) {}

  /** Seconds since the log began. */
  double second() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  synchronized void add(String type, Object value) {
    events.add(new Event(second(), type, value));
    notifyAll();
  }

  /** Nothing follows; readers are told once they have read the rest. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** What came after the first {@code seen} events; waits for something, but not for ever. */
  synchronized News after(int seen, long waitMillis) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + waitMillis * 1_000_000;
    while (events.size() == seen && !ended) {
      long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        break;
      }
      wait(leftMillis);
    }
    int to = Math.min(events.size(), seen + BATCH);
    return new News(List.copyOf(events.subList(seen, to)), ended && to == events.size());
  }
}
