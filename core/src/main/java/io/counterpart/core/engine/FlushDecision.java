package io.counterpart.core.engine;

/**
 * Where a flush of an engine's table goes.
 *
 * @param reason for operators, a phrase
 */
public record FlushDecision(Target target, String reason) {
  private static final FlushDecision INDEXED =
      spill("the table has an index, which engines do not support");
  private static final FlushDecision VIEWED =
      spill("the table has a materialized view, which engines do not support");

  /** Of the flush with which a table leaves its engine. */
  public static final FlushDecision LEAVES = spill("the table leaves the engine");

  /** Of a flush that needs nothing of a server that is away. */
  public static final FlushDecision BYPASS =
      new FlushDecision(Target.BYPASS, "the engine's server is away");

  /** Of a flush that is repeated, since one that needed the stores has failed. */
  public static final FlushDecision REPEATED =
      new FlushDecision(Target.BYPASS, "a flush with the stores has failed");

  /** Of a flush that nobody waits for with the stores, where these have much. */
  public static final FlushDecision APART =
      new FlushDecision(Target.BYPASS, "the stores go to sstables apart from flushes");

  /** Else a crash would leave the rows without the deletions, and a rebuild bring them back. */
  private static final FlushDecision HIDING =
      new FlushDecision(Target.BYPASS, "deletions go where the rows are that they hide");

  /** What is written where. */
  public enum Target {
    /** The memtable is merged into the store. */
    ABSORB,
    /** Memtable and store are written to sstables. */
    SPILL,
    /** The memtable alone is written to sstables, which are absorbed later. */
    BYPASS
  }

  public boolean spills() {
    return target == Target.SPILL;
  }

  public boolean absorbs() {
    return target == Target.ABSORB;
  }

  /**
   * Whether the stores may go to sstables apart from the flush, and after it: who asks for it does
   * not read them there.
   *
   * @param readLater whether the next memtable reads the stores, also where a table leaves them
   */
  public boolean mayGoApart(FlushCause cause, boolean readLater) {
    return spills() && (cause == FlushCause.ROUTINE || cause == FlushCause.LEAVING && readLater);
  }

  /** Whether the table stays on sstables until its schema changes. */
  public boolean isBySchema() {
    return equals(INDEXED) || equals(VIEWED);
  }

  /**
   * The rule. Cassandra's own operations know sstables only, so whatever reads all of a table on
   * disk finds all of it in sstables: the flush before it spills.
   */
  public static FlushDecision of(FlushCause cause, FlushFacts facts) {
    if (cause == FlushCause.LEAVING) {
      return LEAVES;
    }
    boolean isLastChance = cause == FlushCause.STOP && facts.inMemoryAlone();
    if (facts.serverAway() && !cause.needsStores() && !isLastChance) {
      return BYPASS;
    }
    if (facts.indexed()) {
      return INDEXED;
    }
    if (facts.viewed()) {
      return VIEWED;
    }
    if (facts.foreignPartitions()) {
      return spill("partitions of lost ranges go to sstables, where cleanup removes them");
    }
    if (facts.redundantPartitions()) {
      return spill("redundant copies go to sstables, primary ones come back");
    }
    if (facts.adoptedStores()) {
      return spill("the stores of another engine go to sstables");
    }
    if (facts.full()) {
      return spill("the engine's memory is full");
    }
    return switch (cause) {
      case STOP ->
          facts.inMemoryAlone()
              ? spill("the node stops, and the store is in memory alone")
              : absorb("routine");
      case SNAPSHOT -> spill("a snapshot links sstables");
      case STREAMING -> spill("streaming and repair read sstables");
      case BUILD -> spill("the build of an index or view reads sstables");
      case TRUNCATE -> spill("TRUNCATE lets go of sstables");
      case DROP ->
          facts.snapshotOnDrop()
              ? spill("auto_snapshot links sstables")
              : absorb("no snapshot is taken");
      case ROUTINE, LEAVING -> facts.hidesOnDisk() ? HIDING : absorb("routine");
    };
  }

  private static FlushDecision spill(String reason) {
    return new FlushDecision(Target.SPILL, reason);
  }

  private static FlushDecision absorb(String reason) {
    return new FlushDecision(Target.ABSORB, reason);
  }
}
