package io.counterpart.cache.coded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Folds the stripes of the oldest journal items: when journals exceed their bound, in all or on one
 * server, when a restart would have to ask for too many numbers, or when a server has no memory for
 * an item. No fold waits for another: one may wait for its stripe, or for the memory that the
 * others free. Belongs to the shard's event loop.
 */
final class JournalFolding {
  private static final int STRIPES_AT_ONCE = 64;

  /** Time after which a stripe that could not be folded is tried again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NONE = -1;

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private final Set<Integer> underWay = new HashSet<>();
  private final Deque<Integer> next = new ArrayDeque<>();
  private Runnable room = () -> {};
  private boolean proceeding;

  /** Number of the last item whose stripes were tried, and the time when the first one was. */
  private long tried = NONE;

  private long passNanos = System.nanoTime();

  /** Number up to which items are folded though journals are short enough. */
  private long wanted = NONE;

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  JournalFolding(Shard shard, Folding folding, long journalBytes) {
    this.shard = shard;
    this.folding = folding;
    this.journalBytes = journalBytes;
  }

  /** Registers a callback that runs whenever journals may have become shorter. */
  void onRoom(Runnable listener) {
    room = listener;
  }

  /** Folds a stripe. */
  void fold(int stripe) {
    folding.fold(stripe, room);
  }

  /** Folds all present items, because memory is short. */
  void foldPresent() {
    wanted = shard.journal().lastNumber();
    foldIfTooLong();
  }

  /** Folds the oldest items while journals are too long. */
  void foldIfTooLong() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    if (System.nanoTime() - passNanos >= RETRY_NANOS) {
      passNanos = System.nanoTime();
      tried = NONE;
    }
    while (underWay.size() < STRIPES_AT_ONCE && hasNext()) {
      int stripe = next.remove();
      if (underWay.add(stripe)) {
        folding.fold(stripe, () -> folded(stripe));
      }
    }
    proceeding = false;
  }

  private void folded(int stripe) {
    underWay.remove(stripe);
    room.run();
    foldIfTooLong();
  }

  private boolean hasNext() {
    while (next.isEmpty()) {
      JournalItem item = shard.journal().after(tried);
      if (item == null || !item.isStored() || !isWorthFolding(item)) {
        return false;
      }
      tried = item.number();
      next.addAll(item.stripes());
    }
    return true;
  }

  /**
   * Whether an item's stripes are worth folding: if items are only too old, younger ones need not
   * be folded.
   */
  private boolean isWorthFolding(JournalItem item) {
    return item.number() <= wanted
        || shard.journal().bytes() > journalBytes
        || shard.placement().isJournalToBeFolded()
        || shard.journal().isTooOld(item);
  }
}
