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

  private static final long WANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long NONE = -1;

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private final Set<Integer> underWay = new HashSet<>();

  /** Stripes that a pass over the items could not fold. */
  private final Set<Integer> failed = new HashSet<>();

  private final Deque<Integer> next = new ArrayDeque<>();
  private Runnable room = () -> {};
  private boolean proceeding;

  /** Number of the last item whose stripes were tried in this pass. */
  private long tried = NONE;

  /** Number of the first item that the pass skipped, because no server has it yet. */
  private long skipped = NONE;

  private boolean isPassOver = true;
  private long passNanos = System.nanoTime() - RETRY_NANOS;

  /** Number up to which items are folded though journals are short enough. */
  private long wanted = NONE;

  private long wantedNanos = System.nanoTime() - WANTED_NANOS;

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

  /** Folds all present items, because memory is short; ten times a second at most. */
  void foldPresent() {
    if (System.nanoTime() - wantedNanos >= WANTED_NANOS) {
      wantedNanos = System.nanoTime();
      wanted = shard.journal().lastNumber();
    }
    foldIfTooLong();
  }

  /** Folds the oldest items while journals are too long. */
  void foldIfTooLong() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    if (isPassOver && System.nanoTime() - passNanos >= RETRY_NANOS) {
      passNanos = System.nanoTime();
      failed.clear();
      restart();
    }
    while (underWay.size() < STRIPES_AT_ONCE && hasNext()) {
      begin(next.remove());
    }
    proceeding = false;
  }

  private void restart() {
    isPassOver = false;
    tried = NONE;
    skipped = NONE;
  }

  private void begin(int stripe) {
    PendingDeltas.OfStripe pending = shard.pending().of(stripe);
    if (pending == null || failed.contains(stripe) || !underWay.add(stripe)) {
      return; // folded already, or held for missing parity
    }
    folding.fold(
        stripe,
        () -> {
          underWay.remove(stripe);
          if (shard.pending().of(stripe) == pending) {
            failed.add(stripe);
          }
          room.run();
          foldIfTooLong();
        });
  }

  private boolean hasNext() {
    while (next.isEmpty()) {
      if (skipped != NONE && !shard.journal().isInFlight(skipped)) {
        tried = skipped - 1;
        skipped = NONE;
      }
      JournalItem item = shard.journal().after(tried);
      if (item == null) {
        isPassOver = true;
        return false;
      }
      if (!isWorthFolding(item)) {
        restart();
        isPassOver = true;
        return false;
      }
      tried = item.number();
      next.addAll(item.stripes());
      if (!item.isStored() && skipped == NONE) {
        skipped = tried;
      }
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
