package io.counterpart.engine;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many readers may wait for one server at a time. Threads that wait for it could not read other
 * tables, so a reader beyond the bound waits shortly, and then fails with a {@link
 * StoreBusyException}.
 *
 * <p>Beside a quick server 16 permits serve any number of readers: at 1 ms an answer, the last of
 * 32 waits 1 ms. So the wait may be long, {@value #LONGEST_WAIT_MILLIS} ms, for a pause of the
 * process or the server. Beside a slow one it would keep the threads that the bound leaves: at 2 s
 * an answer, 16 permits serve 8 reads a second, and 100 others would each take a thread for half a
 * second. A server is slow from a wait in vain or an answer after {@value #SLOW_ANSWER_MILLIS} ms
 * to the first answer in less; readers then wait {@value #SHORT_WAIT_MILLIS} ms.
 *
 * <p>Thread-safe. First come, first served.
 */
public final class ReaderPermits {
  private static final long LONGEST_WAIT_MILLIS = 500;
  private static final long SHORT_WAIT_MILLIS = 10;
  private static final long SLOW_ANSWER_MILLIS = 250;

  private final String server;
  private final int most;
  private final Semaphore free;
  private volatile boolean isSlow;

  /**
   * @param server for messages
   * @param most readers, at least 1
   */
  public ReaderPermits(String server, int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "readers of %s: %d, legal: 1 or more".formatted(server, most));
    }
    this.server = server;
    this.most = most;
    this.free = new Semaphore(most, true);
  }

  /**
   * Asks the server once, with a permit as long as that takes. A call within a call would need a
   * second one: none is legal.
   *
   * @throws StoreBusyException if there is no permit
   */
  public <T extends @Nullable Object> T reading(Supplier<T> question) {
    enter();
    long begin = System.nanoTime();
    boolean isAnswered = false;
    try {
      T answer = question.get();
      isAnswered = true;
      return answer;
    } finally {
      note(isAnswered, System.nanoTime() - begin);
      free.release();
    }
  }

  private void enter() {
    Duration wait = Duration.ofMillis(isSlow ? SHORT_WAIT_MILLIS : LONGEST_WAIT_MILLIS);
    try {
      if (free.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(server + ": interrupted before it was read", e);
    }
    isSlow = true;
    throw new StoreBusyException(
        "%s is slow: %d reads wait for it, and no more may".formatted(server, most));
  }

  private void note(boolean isAnswered, long nanos) {
    boolean isQuick = nanos < TimeUnit.MILLISECONDS.toNanos(SLOW_ANSWER_MILLIS);
    // a quick failure says nothing
    if (isAnswered || !isQuick) {
      isSlow = !isQuick;
    }
  }
}
