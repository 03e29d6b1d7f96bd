package io.counterpart.cache.coded.item;

/**
 * The present and total number of a server's items, from {@code stats}. A dropped mark leaves no
 * other trace than the total. Not thread-safe.
 */
public final class ItemCounts {
  private static final int COUNTERS = 2;

  private int known;
  private long items;

  /** Takes a line without its {@code STAT}; ignores other names. */
  public void line(String text) {
    String[] words = text.strip().split(" ");
    // the second begins anew with "stats reset"
    if (words.length == 2 && (words[0].equals("curr_items") || words[0].equals("total_items"))) {
      known++;
      items += Long.parseLong(words[1]);
    }
  }

  /** Whether the server has held no item since its start, not even a mark. */
  public boolean isUnused() {
    return known == COUNTERS && items == 0;
  }
}
