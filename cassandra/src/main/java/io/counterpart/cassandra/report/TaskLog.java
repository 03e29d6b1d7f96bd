package io.counterpart.cassandra.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.cassandra.utils.Clock;

/**
 * The background tasks of a node's decoupled tables: all running ones and the last 100 finished
 * ones. Thread-safe.
 */
public final class TaskLog {
  /** The node's: Cassandra makes strategies and their tasks, so nothing else could hand it on. */
  public static final TaskLog NODE = new TaskLog(Clock.Global::currentTimeMillis);

  private static final int MOST_ENDED = 100;

  private final LongSupplier clockMillis;
  private final Map<String, TaskReport> running = new LinkedHashMap<>();
  private final Deque<TaskReport> ended = new ArrayDeque<>();

  TaskLog(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /** What a task is about to do. */
  public record Start(
      String id,
      String keyspace,
      String table,
      String kind,
      String reason,
      int inputs,
      long inputBytes) {}

  public synchronized void begin(Start task) {
    running.put(
        task.id(),
        new TaskReport(
            task.id(),
            task.keyspace(),
            task.table(),
            task.kind(),
            task.reason(),
            task.inputs(),
            task.inputBytes(),
            clockMillis.getAsLong(),
            0,
            TaskReport.State.RUNNING));
  }

  /**
   * @param done false where the task was stopped or failed
   */
  public synchronized void end(String id, boolean done) {
    TaskReport task = running.remove(id);
    if (task != null) {
      ended.addFirst(
          task.after(sinceStart(task), done ? TaskReport.State.DONE : TaskReport.State.UNFINISHED));
      if (ended.size() > MOST_ENDED) {
        ended.removeLast();
      }
    }
  }

  /** Those that run, oldest first, then those that ended, newest first. */
  public synchronized List<TaskReport> tasks() {
    List<TaskReport> all = new ArrayList<>();
    running
        .values()
        .forEach(task -> all.add(task.after(sinceStart(task), TaskReport.State.RUNNING)));
    all.addAll(ended);
    return all;
  }

  private long sinceStart(TaskReport task) {
    return Math.max(0, clockMillis.getAsLong() - task.startedMillis());
  }
}
