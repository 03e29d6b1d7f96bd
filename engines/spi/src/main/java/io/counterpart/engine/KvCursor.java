package io.counterpart.engine;

/** Walks through entries of a {@link KvSnapshot}. Stands before the first one at the beginning. */
public interface KvCursor extends AutoCloseable {

  /** Steps to the next entry; false if there is none, and then on every later call. */
  boolean next();

  /** Key of the current entry, which the caller may keep. */
  byte[] key();

  /** Value of the current entry, which the caller may keep. */
  byte[] value();

  /** A second call does nothing. */
  @Override
  void close();
}
