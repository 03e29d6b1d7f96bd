package io.counterpart.cache.coded;

import java.util.Locale;

/**
 * The sources that a repair reads to restore a server that lost its objects. Paper: ECHash §4.5.
 */
public enum RepairMode {
  /**
   * Whole chunks: k others of the stripe, whichever objects of the lost chunk were on the server.
   * The paper's chunk-repair.
   */
  CHUNK,

  /** Of each lost object the objects of its column, and parity, object by object. */
  FRAGMENT,

  /**
   * Of all lost objects of a chunk the objects of their columns, and parity once. The paper's
   * fragment-repair, whose fragment is all that a chunk had on the server.
   */
  BATCHED;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
