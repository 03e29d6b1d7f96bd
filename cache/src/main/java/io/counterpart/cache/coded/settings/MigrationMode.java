package io.counterpart.cache.coded.settings;

import java.util.Locale;

/** The order in which a moving object is copied and deleted when servers are added or removed. */
public enum MigrationMode {
  /**
   * Copied, then deleted; reads ask the new server, then the old one. So objects stay readable
   * without decoding.
   */
  LIVE,

  /**
   * Deleted, then written; reads ask only the new server, and decode until it has the object.
   * Paper: ECHash §2.4 (example 2), §4.3.
   */
  PAPER;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
