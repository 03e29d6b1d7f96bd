package io.counterpart.cache.backend;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop that ends its only user at the first {@link RuntimeException} of a task. The state
 * that such a task left is unknown: a lock that it held would stay locked. So the user ends, and
 * its next start continues from durable state. {@link FatalErrors} does the same for a process. All
 * but {@link #execute} and {@link #schedule} belongs to the event loop.
 */
public final class GuardedLoop {
  private static final Logger logger = LoggerFactory.getLogger(GuardedLoop.class);

  private final EventLoop loop;
  private final Consumer<IOException> end;
  private boolean ended;

  /**
   * A loop with one user.
   *
   * @param end ends the user; called at most once, with the reason
   */
  public GuardedLoop(EventLoop loop, Consumer<IOException> end) {
    this.loop = loop;
    this.end = end;
  }

  /** The underlying loop, for connections. */
  public EventLoop netty() {
    return loop;
  }

  /** Runs a task on the loop, later. Thread-safe. */
  public void execute(Runnable task) {
    loop.execute(() -> run(task));
  }

  /** Runs a task on the loop after a delay. Thread-safe. */
  public void schedule(Runnable task, long delay, TimeUnit unit) {
    loop.schedule(() -> run(task), delay, unit);
  }

  /** Runs a task now, and ends the user if it throws. */
  public void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException fault) {
      faulted(fault);
    }
  }

  /** Logs an exception of a task, and ends the user. */
  public void faulted(RuntimeException fault) {
    logger.error("a fault of Counterpart", fault);
    end(new IOException("a fault of Counterpart, whose state is unknown now: " + fault, fault));
  }

  /** Ends the user, unless it has already ended. */
  public void end(IOException why) {
    if (!ended) {
      ended = true;
      end.accept(why);
    }
  }

  /** Records that the user has ended by itself. */
  public void close() {
    ended = true;
  }

  /** Whether the user has ended. */
  public boolean isEnded() {
    return ended;
  }
}
