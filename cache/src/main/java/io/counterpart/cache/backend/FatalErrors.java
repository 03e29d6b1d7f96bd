package io.counterpart.cache.backend;

import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process on an {@link Error}, such as an exhausted heap. Netty would close a connection
 * or drop a task and go on. But a server whose connection closes lacks writes and is emptied
 * although it is sound, and a dropped task may hold a lock.
 */
public final class FatalErrors {
  /** Exit code of a process that an error ended. */
  public static final int EXIT_CODE = 4;

  private static final Logger logger = LoggerFactory.getLogger(FatalErrors.class);

  private FatalErrors() {}

  /**
   * Passes an error to this thread's handler, which ends the process. Does nothing if the failure
   * neither is an error nor has one as its cause.
   */
  public static void end(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, cause);
        return;
      }
    }
  }

  /** A handler that ends the process at once on an error; acknowledged writes are safe. */
  public static UncaughtExceptionHandler endingProcess() {
    return (thread, failure) -> {
      try {
        System.err.println("thread " + thread.getName() + ": " + failure);
        failure.printStackTrace();
      } finally {
        if (failure instanceof Error) {
          System.err.println("the process ends, since it cannot go on after " + failure);
          Runtime.getRuntime().halt(EXIT_CODE);
        }
      }
    };
  }

  /**
   * A task queue for an event loop that calls {@link #end} with whatever a task throws, and logs
   * exceptions of scheduled ones.
   */
  public static Queue<Runnable> tasks(int mostTasks) {
    return new Tasks(PlatformDependent.newMpscQueue(mostTasks));
  }

  /** Reuses one wrapper, because a loop runs each task before it takes the next one. */
  private static final class Tasks extends AbstractQueue<Runnable> {
    private final Queue<Runnable> tasks;
    private final Runnable guarded = this::run;
    private @Nullable Runnable taken;

    Tasks(Queue<Runnable> tasks) {
      this.tasks = tasks;
    }

    private void run() {
      Runnable task = taken;
      taken = null;
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (Error failure) {
        end(failure);
        throw failure;
      }
      // scheduled and submitted tasks keep their exceptions
      if (task instanceof Future<?> future && future.isDone()) {
        end(future.cause());
        boolean isScheduled = task instanceof ScheduledFuture<?> && !future.isCancelled();
        if (isScheduled && future.cause() instanceof RuntimeException fault) {
          // nobody asks for its outcome; a sweep that failed would be missed for ever
          logger.error("a scheduled task of the event loop failed", fault);
        }
      }
    }

    @Override
    public boolean offer(Runnable task) {
      return tasks.offer(task);
    }

    @Override
    public @Nullable Runnable poll() {
      taken = tasks.poll();
      return taken == null ? null : guarded;
    }

    @Override
    public @Nullable Runnable peek() {
      return tasks.peek();
    }

    @Override
    public boolean remove(Object task) {
      return tasks.remove(task);
    }

    @Override
    public boolean isEmpty() {
      return tasks.isEmpty();
    }

    @Override
    public Iterator<Runnable> iterator() {
      return tasks.iterator();
    }

    @Override
    public int size() {
      return tasks.size();
    }
  }
}
