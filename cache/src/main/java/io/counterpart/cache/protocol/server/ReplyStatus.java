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
  /** The item has another CAS value. */
  EX,
  /** Not found. */
  NF,
  /** Everything before {@code mn} is done. */
  MN,
  OK,
  /** One line of statistics. */
  STAT,
  /** Found by a classic command; the value follows, then {@link #END}. */
  VALUE,
  /** The end of statistics, or of a classic command's items. */
  END,
  /** A classic command has changed an item's expiry. */
  TOUCHED,
  /** The classic command has found no item. */
  NOT_FOUND,
  /** Statistics are reset. */
  RESET,
  /** No page of a slab class is moved, because another page is on its way. */
  BUSY,
  /** No page is moved: there is no such class. */
  BADCLASS,
  /** No page is moved: the class has only one page. */
  NOSPARE,
  /** No page is moved: source and destination are the same. */
  SAME,
  /** No page is moved, in older versions. */
  UNSAFE,
  VERSION,
  /** The properties of an item. */
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
