package io.counterpart.cassandra.engine.direct;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.memtable.Memtable;

/** A memtable whose writes may go to a store at once. */
public interface DirectMemtable extends Memtable {

  /** Its writes that went to the store. */
  DirectPuts directPuts();

  /** Whether its memory has anything of a partition. */
  boolean isInMemory(DecoratedKey key);

  /** What it has in memory alone: reading that asks no store. */
  Memtable inMemory();
}
