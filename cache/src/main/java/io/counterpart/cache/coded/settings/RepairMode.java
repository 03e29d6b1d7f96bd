package io.counterpart.cache.coded.settings;

import java.util.Locale;

/**
 * The sources that a repair reads to restore a server that lost its objects. Paper: ECHash §4.5.
 */
public enum RepairMode {
  /**
   * Whole chunks: k others of the stripe, even if only some objects of the lost chunk were on the
   * server. The paper's chunk-repair.
   */
  CHUNK,

  /** As {@link #CHUNK}, but for each lost object anew: repair that knows objects alone. */
  CHUNK_EACH,

  /** For each lost object the other objects of its column, and parity: object by object. */
  FRAGMENT,

  /**
   * For all lost objects of a chunk the other objects of their columns, and parity once. The
   * paper's fragment-repair: its fragment is the part of a chunk that was on the server.
   */
  BATCHED;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
