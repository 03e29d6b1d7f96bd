package io.counterpart.cache.objects;

import io.counterpart.cache.protocol.Expiry;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The delay of {@code flush_all}, as in memcached 1.6.18. A new command replaces a pending one, so
 * at most one is pending. It empties everything stored up to the last second before its time; a
 * delay of one second is none. A delay above 30 days is a date. A date in the past means now; a
 * date before the start, with the 62 s by which memcached's clock begins earlier, empties nothing.
 * Belongs to the event loop.
 */
final class DelayedFlush {
  private static final int CLOCK_BEGINS_EARLIER_SECONDS = 62;

  private final EventLoop loop;
  private final LongSupplier clockSeconds;
  private final long startSeconds;
  private @Nullable Future<?> pending;

  DelayedFlush(EventLoop loop, LongSupplier clockSeconds) {
    this.loop = loop;
    this.clockSeconds = clockSeconds;
    startSeconds = clockSeconds.getAsLong() - CLOCK_BEGINS_EARLIER_SECONDS;
  }

  /**
   * Takes a command's time.
   *
   * @param exptime as sent
   * @param flush runs later, or never
   * @return whether the flush is due now; the caller then runs it
   */
  boolean isNow(int exptime, Runnable flush) {
    Future<?> before = pending;
    pending = null;
    if (before != null) {
      before.cancel(false);
    }
    if (exptime <= 0) {
      return true;
    }
    long now = clockSeconds.getAsLong();
    long at = Expiry.atSeconds(exptime, now);
    long waitSeconds = at - 1 - now;
    if (waitSeconds <= 0) {
      return at > startSeconds;
    }
    pending = loop.schedule(flush, waitSeconds, TimeUnit.SECONDS);
    return false;
  }
}
