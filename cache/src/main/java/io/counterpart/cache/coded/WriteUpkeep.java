package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The work that writes make due: seals full stripes, frees empty ones, and folds the stripes of the
 * oldest journal items. Folding begins when journals exceed their bound, in all or on one server,
 * or when a restart would have to ask for too many numbers. Belongs to the shard's event loop.
 */
final class WriteUpkeep {
  private static final int ITEMS_AT_ONCE = 32;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST = -1;

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private final Rounds relief = new Rounds(this::relieveJournal);
  private Runnable room = () -> {};
  private boolean relieving;
  private long notBeforeNanos = System.nanoTime();

  /** Number of the last journal item whose stripes were tried. */
  private long tried = FIRST;

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  WriteUpkeep(Shard shard, Folding folding, long journalBytes) {
    this.shard = shard;
    this.folding = folding;
    this.journalBytes = journalBytes;
  }

  /** Registers a callback that runs whenever journals have become shorter. */
  void onRoom(Runnable listener) {
    room = listener;
  }

  /** Notes that a write into a place has ended. */
  void written(Place place) {
    int stripe = place.stripe();
    StripeState state = shard.stripes().state(stripe);
    if (state == StripeState.OPEN && isFull(stripe)) {
      fold(stripe);
    } else if (state == StripeState.SEALED && shard.isEmpty(stripe)) {
      shard
          .gates()
          .enterAlone(
              stripe,
              () -> {
                shard.freeIfEmpty(stripe);
                shard.gates().leave(stripe);
              });
    }
    if (!relieving && isTooLong() && System.nanoTime() - notBeforeNanos >= 0) {
      relieving = true;
      relief.begin();
    }
  }

  private boolean isTooLong() {
    return isTooLarge() || shard.journal().hasTooOld();
  }

  private boolean isTooLarge() {
    return shard.journal().bytes() > journalBytes || shard.placement().isJournalToBeFolded();
  }

  /**
   * Folds the stripes of the oldest items, then of further ones, until journals are short enough. A
   * stripe that cannot be folded, because servers are down and objects are lost, is passed over and
   * tried again after a second.
   *
   * @param end gets whether another round follows
   */
  private void relieveJournal(Consumer<Boolean> end) {
    List<JournalItem> items = shard.journal().storedAfter(tried, ITEMS_AT_ONCE);
    if (!isWorthFolding(items)) {
      tried = FIRST;
      notBeforeNanos = System.nanoTime() + RETRY_NANOS;
      relieving = false;
      end.accept(false);
      return;
    }
    tried = items.get(items.size() - 1).number();
    folding.foldAll(
        items.stream().flatMap(item -> item.stripes().stream()).distinct().toList(),
        () -> {
          room.run();
          boolean goesOn = isTooLong();
          if (!goesOn) {
            tried = FIRST;
            relieving = false;
          }
          end.accept(goesOn);
        });
  }

  /**
   * Whether an item's stripes are worth folding: if items are only too old, younger ones need not
   * be folded.
   */
  private boolean isWorthFolding(List<JournalItem> items) {
    return !items.isEmpty() && (isTooLarge() || shard.journal().isTooOld(items.get(0)));
  }

  /** Folds a stripe. */
  void fold(int stripe) {
    folding.fold(stripe, room);
  }

  private boolean isFull(int stripe) {
    int slots = shard.slotsPerChunk(stripe);
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }
}
