package io.counterpart.core.simulator;

import java.util.List;
import java.util.Optional;

/** A structure on disk that takes flushes and compacts itself one step at a time. */
interface Index {
  /** Takes a flushed memtable that spans all keys of the structure. */
  void add(Density flushed);

  /** Does the next due piece of work; empty when nothing is due. */
  Optional<Compaction> compact();

  /** What a read at the position has to look at, newest first. */
  List<Density> covering(double position);

  /** Number of sstables on disk. */
  long tables();

  /** Bytes on disk. */
  double bytes();

  /** Those of them in segments: a tree has none. */
  default double segmentBytes() {
    return 0;
  }
}
