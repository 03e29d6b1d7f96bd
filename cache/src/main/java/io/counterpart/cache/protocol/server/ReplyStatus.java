package io.counterpart.cache.protocol.server;

/** The word that begins a server's answer. */
public enum ReplyStatus {
  /** Done, or found. */
  HD,
  /** Found; the value follows. */
  VA,
  /** Not found by {@code mg}. */
  EN,
  /** Not stored. */
  NS,
  /** The CAS value is another one. */
  EX,
  /** Not found. */
  NF,
  /** All before {@code mn} is done. */
  MN,
  OK,
  /** One line of statistics. */
  STAT,
  /** Found by a classic command; the value follows, then {@link #END}. */
  VALUE,
  /** The end of statistics, or of what a classic command has found. */
  END,
  /** A classic command has changed an item's expiry. */
  TOUCHED,
  /** It has found none. */
  NOT_FOUND,
  /** Statistics are zero again. */
  RESET,
  /** No page of a slab class is moved: another one is on its way. */
  BUSY,
  /** The same: there is no such class. */
  BADCLASS,
  /** The same: the class has one page alone. */
  NOSPARE,
  /** The same: the page would go where it is. */
  SAME,
  /** The same, by older versions. */
  UNSAFE,
  VERSION,
  /** What is known of an item. */
  ME,
  /** The server does not know the command. */
  ERROR,
  CLIENT_ERROR,
  SERVER_ERROR;

  /** Whether the answer refuses a command. */
  public boolean isError() {
    return this == ERROR || this == CLIENT_ERROR || this == SERVER_ERROR;
  }

  /** Whether more lines of the same answer follow. */
  public boolean isPart() {
    return this == STAT || this == VALUE;
  }

  boolean isMeta() {
    return compareTo(MN) <= 0;
  }
}
