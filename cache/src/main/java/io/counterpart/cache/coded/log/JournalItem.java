package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.server.ServerLink;
import java.util.List;

/** A journal item: sent to a server, then kept there until no entry in it is needed. */
public final class JournalItem {
  private final ServerLink server;
  private final long number;
  private int bytes;
  private List<Integer> stripes = List.of();
  private int needed;

  JournalItem(ServerLink server, long number) {
    this.server = server;
    this.number = number;
  }

  ServerLink server() {
    return server;
  }

  public long number() {
    return number;
  }

  /** Bytes of its entries; 0 until it is stored. */
  int bytes() {
    return bytes;
  }

  /** Stripes of its entries, released ones included; empty until it is stored. */
  public List<Integer> stripes() {
    return stripes;
  }

  /** Notes that the server has the item, with one needed entry of each of these stripes. */
  void stored(int length, List<Integer> entries) {
    bytes = length;
    stripes = entries;
    needed = entries.size();
  }

  boolean isStored() {
    return bytes > 0;
  }

  /** Releases one entry; returns whether none is needed any more. */
  boolean release() {
    return --needed == 0;
  }
}
