package io.counterpart.cassandra.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The tables of this node that are on storage engines. Thread-safe. */
public final class EngineReports {
  /** The node's: Cassandra makes memtables, so nothing else could hand it on. */
  public static final EngineReports NODE = new EngineReports();

  private volatile Optional<Supplier<List<Table>>> source = Optional.empty();

  private EngineReports() {}

  /**
   * One table.
   *
   * @param mode whether a write that came now would go to the store at once, and why not
   * @param state what happens to a flush that begins now
   * @param unflushed memtables that are switched out and not flushed: the backlog
   * @param sweep whether the store is swept now, and why
   */
  public record Table(
      String keyspace,
      String table,
      String engine,
      String mode,
      String state,
      Stores stores,
      SSTables sstables,
      int unflushed,
      String sweep) {}

  /**
   * Its sstables: from before it came to the engine, from spills and from streams.
   *
   * @param state whether they are read into the store now, and why
   */
  public record SSTables(int count, long bytes, String state) {}

  /**
   * Its stores together.
   *
   * @param count 1, and one more for each spill that has not ended
   * @param usedBytes of entries
   * @param diskBytes of files
   * @param hitRatio share of reads of single keys that memory answered; NaN if nobody counts them
   */
  public record Stores(
      String directory,
      int count,
      long partitions,
      long usedBytes,
      long diskBytes,
      double hitRatio) {}

  /** From now on these are the node's tables. */
  public void publish(Supplier<List<Table>> tables) {
    source = Optional.of(tables);
  }

  /** In any order; empty on a node without engines. */
  public List<Table> tables() {
    return source.map(Supplier::get).orElse(List.of());
  }
}
