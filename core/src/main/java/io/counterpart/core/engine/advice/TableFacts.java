package io.counterpart.core.engine.advice;

/**
 * What the advice on a table depends on.
 *
 * @param name {@code keyspace.table}
 * @param storage where its data is
 * @param compaction simple name of its compaction strategy's class
 * @param copies of each row, in the datacenter that has most
 * @param tie why its data has to stay on sstables, a phrase; empty if nothing ties it
 * @param nodeBytes of the node that has most of it, 0 or more
 * @param hitRatio share of reads that the heap of the engine {@code memory} answered; not a number
 *     elsewhere
 */
public record TableFacts(
    String name,
    Storage storage,
    String compaction,
    int copies,
    String tie,
    long nodeBytes,
    double hitRatio,
    Load load) {
  /** Operations below which rates say nothing: one tenth more or less is chance. */
  static final long LEAST_OPERATIONS = 1_000;

  /** Whether the load is large enough to say something. */
  boolean isMeasured() {
    return load.operations() >= LEAST_OPERATIONS;
  }
}
