package io.counterpart.core.engine;

/** Why a memtable is flushed, as far as the target depends on it. */
public enum FlushCause {
  /** Memory, age, the commit log's size, or a user's wish. */
  ROUTINE,
  /** The node stops in good order. */
  STOP,
  /** A snapshot, which links sstables. */
  SNAPSHOT,
  /** Bootstrap, decommission, rebuild or repair, which read and send sstables. */
  STREAMING,
  /** The build of an index or a view, which reads sstables. */
  BUILD,
  /** TRUNCATE, which lets go of sstables at a time that it takes after the flush. */
  TRUNCATE,
  /** DROP. */
  DROP,
  /** The table got another memtable configuration. */
  LEAVING;

  /**
   * Whether this cause replaces another one of the same memtable: one for which sstables are read
   * goes before TRUNCATE and DROP, these before a stop, and that before a routine flush.
   */
  public boolean outweighs(FlushCause other) {
    return weight() > other.weight();
  }

  /**
   * Whether who asks reads sstables afterwards, or lets go of them: without what is in the stores
   * it would do harm.
   */
  public boolean needsStores() {
    return switch (this) {
      case SNAPSHOT, STREAMING, BUILD, TRUNCATE, LEAVING -> true;
      case ROUTINE, STOP, DROP -> false;
    };
  }

  /**
   * Whether who asks is told before anything is touched if the stores do not answer. A change of
   * the engine is under way already.
   */
  public boolean isRefusable() {
    return switch (this) {
      case SNAPSHOT, STREAMING, BUILD, TRUNCATE -> true;
      case ROUTINE, STOP, DROP, LEAVING -> false;
    };
  }

  /**
   * Whether who asks waits until the stores are in sstables, before the flush.
   *
   * @param snapshotOnDrop whether DROP takes a snapshot
   */
  public boolean awaitsStores(boolean snapshotOnDrop) {
    return isRefusable() || this == DROP && snapshotOnDrop;
  }

  private int weight() {
    return switch (this) {
      case ROUTINE -> 0;
      case STOP -> 1;
      case TRUNCATE, DROP -> 2;
      case SNAPSHOT, STREAMING, BUILD, LEAVING -> 3;
    };
  }
}
