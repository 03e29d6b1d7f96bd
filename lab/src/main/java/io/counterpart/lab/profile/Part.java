package io.counterpart.lab.profile;

/**
 * A part of a node's work, as a thread's occupation.
 *
 * <p>Paper: DEPART §5.2, Experiment 5. Deviates: the paper times its own code and names no rest;
 * here every thread is sampled, so there are parts for messages and for the rest.
 */
public enum Part {
  /** Appends to the commit log, and writing it to disk. */
  COMMIT_LOG("commitLog"),
  /** Writes into memtables and reads from them. */
  MEMTABLE("memtable"),
  /** Memtables into sstables and into the store of a storage engine. */
  FLUSH("flush"),
  /**
   * Compactions of an LSM-tree: all of a stock table's, the primary tree's of a decoupled one; and
   * sstables read into a store. Deleting the inputs of any rewrite is in it too.
   */
  COMPACTION("compaction"),
  /**
   * Rewrites by role, which stock tables do not have: segments split into runs, runs merged,
   * primary copies gathered for their tree.
   */
  ALIGN("align"),
  /** Lookups in the key cache and the row cache. */
  CACHE("cache"),
  /** Which sstables hold a key, and where: their ranges, Bloom filters, indexes and summaries. */
  INDEX("index"),
  /** Rows read from data files or a store: the disk, decompression, decoding. */
  DATA("data"),
  /** Versions of a row put together, from memtables, sstables and replicas. */
  ROW_MERGE("rowMerge"),
  /** CQL, coordination, messages from and to clients and nodes. */
  MESSAGES("messages"),
  /**
   * Anything else, such as threads that look for work, gossip, and answering the lab's readings.
   */
  OTHER("other");

  private final String key;

  Part(String key) {
    this.key = key;
  }

  /** Its name in results. */
  public String key() {
    return key;
  }
}
