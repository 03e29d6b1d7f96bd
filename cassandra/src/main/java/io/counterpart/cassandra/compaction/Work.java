package io.counterpart.cassandra.compaction;

import java.util.List;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * A rewrite that is due.
 *
 * @param kind what it does
 * @param inputs the sstables to rewrite together; not empty
 * @param urgent true where it goes before the primary tree's own compactions
 */
record Work(Kind kind, List<SSTableReader> inputs, boolean urgent) {
  Work {
    inputs = List.copyOf(inputs);
  }

  enum Kind {
    /** Segments of the global log into sorted runs. */
    SPLIT,
    /** Wide primary files into aligned sstables of the primary tree. */
    PRIMARY_BATCH,
    /** Sorted runs of one group into fewer. */
    MERGE,
    /** Sstables with copies of both kinds into aligned ones. */
    REALIGN
  }
}
