package io.counterpart.cache.coded.settings;

import java.util.Locale;

/** The assignment of a stripe's chunks to servers. */
public enum CodedScheme {
  /**
   * n rings of servers; a chunk belongs to a ring, and its objects to whichever servers of the ring
   * their keys have. Paper: ECHash §3, §4.
   */
  ECHASH,

  /**
   * One ring of servers; a chunk belongs to a server, with all of its objects. An object whose
   * server changes moves from its stripe to another one, and parity is updated. Paper: ECHash §2.2,
   * §5.1 (ccMemcached).
   */
  CCMEMCACHED;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
