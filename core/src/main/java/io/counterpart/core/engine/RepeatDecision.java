package io.counterpart.core.engine;

/**
 * What becomes of a memtable whose flush has failed: a server went away while it was read, or a
 * disk was full. Cassandra keeps such a memtable in memory until the process ends.
 *
 * @param reason for operators, a phrase
 */
public record RepeatDecision(Target target, String reason) {

  /** What is written now. */
  public enum Target {
    /** The memtable alone, to sstables. Its stores stay, and the next spill takes them along. */
    ALONE,
    /** Memtable and stores, to sstables. */
    WITH_STORES,
    /** Nothing; the memtable stays, and is looked at again later. */
    NOTHING
  }

  /**
   * The rule. As long as the table is on its engine, later memtables read its stores. Once it has
   * left, this memtable is the only one that does, so it stays until the stores are in sstables.
   */
  public static RepeatDecision of(RepeatFacts facts) {
    if (facts.stopping()) {
      return new RepeatDecision(Target.NOTHING, "the node stops: the commit log has it");
    }
    if (facts.current()) {
      return new RepeatDecision(Target.ALONE, "the stores stay, and are read beside it");
    }
    if (facts.serverAway()) {
      return new RepeatDecision(
          Target.NOTHING, "the table has left the engine, whose server is away");
    }
    return new RepeatDecision(Target.WITH_STORES, "the table has left the engine");
  }
}
