package io.counterpart.core.engine.advice;

import java.util.Locale;

/**
 * What to do with one table.
 *
 * @param table {@code keyspace.table}
 * @param reason with the numbers, a phrase
 */
public record Advice(String table, Action action, String reason) {

  /** A change of a table, or none. */
  public enum Action {
    /** Nothing. */
    LEAVE,
    /** Sstables of Cassandra's own. */
    LSM,
    /** The engine {@code lmdb}. */
    LMDB,
    /** The engine {@code memory}. */
    MEMORY,
    /** Sstables under decoupled compaction. */
    DECOUPLED;

    /** Whether the change is one of the memtable configuration, which is named so. */
    public boolean isEngine() {
      return this == LSM || this == LMDB || this == MEMORY;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether there is something to do. */
  public boolean changes() {
    return action != Action.LEAVE;
  }
}
