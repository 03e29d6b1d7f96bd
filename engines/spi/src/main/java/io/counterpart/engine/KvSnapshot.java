package io.counterpart.engine;

import org.jspecify.annotations.Nullable;

/** One state of a {@link KvStore}, which later writes do not change. Not thread-safe. */
public interface KvSnapshot extends AutoCloseable {

  /** The value of a key, which the caller may keep; null if there is none. */
  byte @Nullable [] get(byte[] key);

  /** The entries of a range in order. To be closed before the snapshot. */
  KvCursor scan(KvRange range);

  /** A second call does nothing. */
  @Override
  void close();
}
