package io.counterpart.cassandra.compaction;

import java.util.List;
import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * A rewrite that is due.
 *
 * @param kind what it does
 * @param inputs the sstables to rewrite together; not empty
 * @param takenAlong those of the inputs that might as well stay as they are
 * @param urgent true where it goes before the primary tree's own compactions
 */
record Work(Kind kind, List<SSTableReader> inputs, Set<SSTableReader> takenAlong, boolean urgent) {
  Work {
    inputs = List.copyOf(inputs);
    takenAlong = Set.copyOf(takenAlong);
  }

  Work(Kind kind, List<SSTableReader> inputs, boolean urgent) {
    this(kind, inputs, Set.of(), urgent);
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
