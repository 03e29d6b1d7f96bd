package io.counterpart.cache.coded;

import java.util.HashSet;
import java.util.Set;

/** A journal item that a server holds, until none of its entries is needed. */
final class JournalItem {
  private final ServerLink server;
  private final long number;
  private final int bytes;
  private final Set<Integer> stripes = new HashSet<>();
  private int needed;

  JournalItem(ServerLink server, long number, int bytes) {
    this.server = server;
    this.number = number;
    this.bytes = bytes;
  }

  ServerLink server() {
    return server;
  }

  long number() {
    return number;
  }

  int bytes() {
    return bytes;
  }

  /** Stripes of its entries, those no longer needed too. */
  Set<Integer> stripes() {
    return stripes;
  }

  void addEntry(int stripe) {
    stripes.add(stripe);
    needed++;
  }

  /** Whether no entry is needed any more, once one less is. */
  boolean release() {
    return --needed == 0;
  }
}
