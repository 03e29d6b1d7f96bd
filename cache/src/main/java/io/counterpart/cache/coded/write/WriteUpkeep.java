package io.counterpart.cache.coded.write;

import io.counterpart.cache.coded.flow.Rounds;
import io.counterpart.cache.coded.log.Journal;
import io.counterpart.cache.coded.log.JournalItem;
import io.counterpart.cache.coded.parity.FoldQueue;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.StripeState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The work that writes make due: seals full stripes, frees empty ones, and folds the stripes of the
 * oldest journal items. Folding begins when journals exceed their bound, in all or on one server,
 * or when a restart would have to ask for too many numbers. Belongs to the shard's event loop.
 */
public final class WriteUpkeep {
  private static final int ITEMS_AT_ONCE = 32;

  /** Time after which the next items' folds begin although some of these wait for memory. */
  private static final long MOST_ROUND_MILLIS = 100;

  /** Time after which stripes that could not be folded are tried again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The same, if some could be folded and other folds are still under way. */
  private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long FIRST = -1;

  private final Shard shard;
  private final FoldQueue folds;
  private final long journalBytes;
  private final Rounds relief = new Rounds(this::relieveJournal);
  private boolean relieving;

  /** {@link Journal#releasedBytes} when the relief began. */
  private long releasedBefore;

  private long notBeforeNanos = System.nanoTime();

  /** Number of the last journal item whose stripes were tried. */
  private long tried = FIRST;

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  public WriteUpkeep(Shard shard, FoldQueue folds, long journalBytes) {
    this.shard = shard;
    this.folds = folds;
    this.journalBytes = journalBytes;
  }

  /** Notes that a write into a place has ended. */
  public void written(Place place) {
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
      releasedBefore = shard.journal().releasedBytes();
      relief.begin();
    }
  }

  private boolean isProceeding() {
    return !folds.isEmpty() && shard.journal().releasedBytes() > releasedBefore;
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
      notBeforeNanos = System.nanoTime() + (isProceeding() ? SOON_NANOS : RETRY_NANOS);
      relieving = false;
      end.accept(false);
      return;
    }
    tried = items.get(items.size() - 1).number();
    folds.fold(
        items.stream().flatMap(item -> item.stripes().stream()).filter(this::isToBeFolded).toList(),
        MOST_ROUND_MILLIS,
        () -> {
          boolean goesOn = isTooLong();
          if (!goesOn) {
            tried = FIRST;
            relieving = false;
          }
          end.accept(goesOn);
        });
  }

  /** Whether a fold of an item's stripe may release entries: others were folded since. */
  private boolean isToBeFolded(int stripe) {
    return shard.pending().of(stripe) != null
        || folds.isUnderWay(stripe)
        || shard.stripes().state(stripe) != StripeState.FREE && shard.isEmpty(stripe);
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
    folds.fold(stripe);
  }

  private boolean isFull(int stripe) {
    int slots = shard.slotsPerChunk(stripe);
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }
}
