package io.counterpart.cassandra.ring;

import org.jspecify.annotations.Nullable;

/** The rules that place files in one state of the ring. Two states are never the same object. */
public interface PlacingRules<F, P> {
  /** Without I/O; null where only the content tells. */
  @Nullable P byBounds(F file);

  /**
   * By reading the file, which is kept from being deleted meanwhile.
   *
   * @return null if the file is gone
   */
  @Nullable P byContent(F file);
}
