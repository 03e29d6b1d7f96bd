package io.counterpart.cache.coded.item;

import java.util.Map;

/**
 * The present and total number of a server's items, from {@code stats}. A dropped mark leaves no
 * other trace than the total. No state.
 */
public final class ItemCounts {
  private ItemCounts() {}

  /** Whether the server has held no item since its start, not even a mark. */
  public static boolean isUnused(Map<String, String> stats) {
    // the second begins anew with "stats reset"
    return "0".equals(stats.get("curr_items")) && "0".equals(stats.get("total_items"));
  }
}
