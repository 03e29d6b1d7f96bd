package io.counterpart.cache.coded;

/**
 * How many items a server has and had, from {@code stats}. It keeps no trace of a mark that was
 * dropped, but this of all that it ever held. Not thread-safe.
 */
final class ItemCounts {
  private static final int COUNTERS = 2;

  private int known;
  private long items;

  /** A line without its {@code STAT}; others than those looked for are passed over. */
  void line(String text) {
    String[] words = text.strip().split(" ");
    // the second begins anew with "stats reset"
    if (words.length == 2 && (words[0].equals("curr_items") || words[0].equals("total_items"))) {
      known++;
      items += Long.parseLong(words[1]);
    }
  }

  /** Whether the server has held nothing since its start, no mark either. */
  boolean isUnused() {
    return known == COUNTERS && items == 0;
  }
}
