package io.counterpart.cache.forward;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A queue in order of arrival whose entries expire after a fixed time. Belongs to its event loop.
 */
final class TimedQueue<T> {
  private final EventLoop loop;
  private final long limitNanos;
  private final Consumer<T> expired;
  private final ArrayDeque<Entry<T>> entries = new ArrayDeque<>();
  private boolean scheduled;

  private record Entry<T>(long deadlineNanos, T value) {}

  /**
   * @param expired takes entries whose time has passed
   */
  TimedQueue(EventLoop loop, Duration limit, Consumer<T> expired) {
    this.loop = loop;
    this.limitNanos = limit.toNanos();
    this.expired = expired;
  }

  int size() {
    return entries.size();
  }

  void add(T value) {
    entries.add(new Entry<>(System.nanoTime() + limitNanos, value));
    schedule();
  }

  /** Removes all present entries and passes them on. */
  void drainTo(Consumer<T> taker) {
    for (int left = entries.size(); left > 0 && !entries.isEmpty(); left--) {
      taker.accept(entries.remove().value());
    }
  }

  private void schedule() {
    Entry<T> first = entries.peek();
    if (first != null && !scheduled) {
      scheduled = true;
      long left = first.deadlineNanos() - System.nanoTime();
      loop.schedule(this::expire, Math.max(0, left), TimeUnit.NANOSECONDS);
    }
  }

  private void expire() {
    scheduled = false;
    long now = System.nanoTime();
    for (Entry<T> first = entries.peek();
        first != null && first.deadlineNanos() <= now;
        first = entries.peek()) {
      entries.remove();
      expired.accept(first.value());
    }
    schedule();
  }
}
