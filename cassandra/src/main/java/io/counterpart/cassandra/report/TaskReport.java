package io.counterpart.cassandra.report;

/**
 * One background task of a decoupled table, running or finished.
 *
 * @param id as {@code nodetool compactionstats} names it
 * @param keyspace of its table
 * @param table its table
 * @param kind SPLIT, MERGE, REALIGN, …
 * @param reason why it was due, for people
 * @param inputs sstables that it began with
 * @param inputBytes of them, on disk
 * @param startedMillis since the epoch
 * @param durationMillis until now, or until it ended
 * @param state how far it is
 */
public record TaskReport(
    String id,
    String keyspace,
    String table,
    String kind,
    String reason,
    int inputs,
    long inputBytes,
    long startedMillis,
    long durationMillis,
    State state) {

  /** How far a task is. */
  public enum State {
    RUNNING,
    DONE,
    /** Stopped by an operator, or failed: its inputs are as they were. */
    UNFINISHED
  }

  TaskReport after(long millis, State now) {
    return new TaskReport(
        id, keyspace, table, kind, reason, inputs, inputBytes, startedMillis, millis, now);
  }
}
