package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.stripe.Metadata;
import io.counterpart.cache.metadata.JournalNumbers;

/**
 * The numbers of journal items. A number is durable in the metadata before it is used, so that a
 * restart asks for it. Belongs to the shard's event loop.
 */
final class JournalNumbering {
  private static final int AT_ONCE = 4096;

  /** Numbers left below which more are taken. */
  private static final int FEW = AT_ONCE / 2;

  private static final long NONE = Long.MAX_VALUE;

  private final Metadata metadata;
  private long next;

  /** End of the numbers that are durable. */
  private long durableEnd;

  /** The lowest number of an earlier process's items that the next start must read too. */
  private long kept = NONE;

  private boolean takesMore;

  JournalNumbering(Metadata metadata) {
    this.metadata = metadata;
    this.next = metadata.log().journalNumbers().end();
    this.durableEnd = next;
  }

  /** The next number, which may be used once there is one. */
  long next() {
    return next;
  }

  /** Whether this many numbers may be used now. */
  boolean has(int count) {
    return durableEnd - next >= count;
  }

  /** Whether more should be taken now. */
  boolean areFew() {
    return !takesMore && !has(FEW);
  }

  /** Uses the next number; see {@link #has}. */
  long take() {
    return next++;
  }

  /**
   * Takes more numbers; see {@link #areFew}.
   *
   * @param first the first number in use, or the next one
   */
  void takeMore(long first) {
    takesMore = true;
    long end = next + AT_ONCE;
    metadata.setJournalNumbers(new JournalNumbers(Math.min(kept, first), end));
    metadata.whenDurable(
        () -> {
          takesMore = false;
          durableEnd = end;
        });
  }

  /** Makes the next start read an earlier process's items from a number on. */
  void keep(long number) {
    kept = number;
  }

  /**
   * Cancels {@link #keep}: those items are gone.
   *
   * @param first the first number in use, or the next one
   */
  void keepNone(long first) {
    kept = NONE;
    long end = metadata.log().journalNumbers().end();
    metadata.setJournalNumbers(new JournalNumbers(first, end));
  }

  /** Whether the next start reads an earlier process's items. */
  boolean isKeeping() {
    return kept != NONE;
  }

  /** Forgets an earlier process's items, because the servers have lost them. */
  void clear() {
    kept = NONE;
  }
}
