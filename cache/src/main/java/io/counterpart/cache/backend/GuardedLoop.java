package io.counterpart.cache.backend;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Event loop of one user, which the first {@link RuntimeException} of its tasks ends. Nobody knows
 * what such a task has left half done: a lock that it held would be held for good. So the user goes
 * on from what is durable, with its next start. {@link FatalErrors} does the same for a process.
 * All but {@link #execute} and {@link #schedule} belongs to the event loop.
 */
public final class GuardedLoop {
  private static final Logger logger = LoggerFactory.getLogger(GuardedLoop.class);

  private final EventLoop loop;
  private final Consumer<IOException> end;
  private boolean ended;

  /**
   * A loop of one user.
   *
   * @param end ends the user; called once at most, with the reason
   */
  public GuardedLoop(EventLoop loop, Consumer<IOException> end) {
    this.loop = loop;
    this.end = end;
  }

  /** The loop itself, for connections. */
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

  /** Runs a task now. */
  public void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException fault) {
      faulted(fault);
    }
  }

  /** Takes what a task has thrown, and ends the user. */
  public void faulted(RuntimeException fault) {
    logger.error("a fault of Counterpart", fault);
    end(new IOException("a fault of Counterpart, whose state is unknown now: " + fault, fault));
  }

  /** Ends the user, unless it has ended. */
  public void end(IOException why) {
    if (!ended) {
      ended = true;
      end.accept(why);
    }
  }

  /** Notes that the user has ended by itself. */
  public void close() {
    ended = true;
  }

  /** Whether the user has ended: it does nothing any more. */
  public boolean isEnded() {
    return ended;
  }
}
