package io.counterpart.cache.shards;

import io.counterpart.cache.backend.GuardedLoop;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks of one event loop for another one, which runs them in order. Those of one turn go together:
 * waking a loop costs more than a task. Belongs to the first event loop.
 */
public final class LoopTasks {
  private static final Logger logger = LoggerFactory.getLogger(LoopTasks.class);

  private final EventLoop from;
  private final GuardedLoop to;
  private List<Runnable> tasks = new ArrayList<>();

  LoopTasks(EventLoop from, GuardedLoop to) {
    this.from = from;
    this.to = to;
  }

  void add(Runnable task) {
    tasks.add(task);
    if (tasks.size() == 1) {
      execute(from, this::send);
    }
  }

  private void send() {
    List<Runnable> sent = tasks;
    tasks = new ArrayList<>();
    try {
      to.execute(() -> sent.forEach(Runnable::run));
    } catch (RejectedExecutionException closed) {
      logger.debug("{} tasks for an event loop that has ended", sent.size(), closed);
    }
  }

  /**
   * Runs a task on an event loop, unless that has ended: then so has the process' use of the tier.
   */
  public static void execute(EventLoop loop, Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException closed) {
      logger.debug("a task for an event loop that has ended", closed);
    }
  }
}
