package io.counterpart.cassandra.writer;

/** A memtable that counts what is in a store as well. */
public interface StoreBacked {

  /** Partitions that a flush takes from memory. */
  long partitionsInMemory();
}
