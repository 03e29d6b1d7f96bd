package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;
import java.util.concurrent.TimeUnit;

/**
 * What writes make due: a full stripe is sealed, an empty one freed, and the stripes of the oldest
 * journal items are folded when journals take more than their bound. Belongs to the shard's event
 * loop.
 */
final class WriteUpkeep {
  private static final int ITEMS_AT_ONCE = 32;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private boolean relieving;
  private long notBeforeNanos = System.nanoTime();

  /**
   * @param journalBytes bytes of journals, all copies, above which they are folded
   */
  WriteUpkeep(Shard shard, Folding folding, long journalBytes) {
    this.shard = shard;
    this.folding = folding;
    this.journalBytes = journalBytes;
  }

  /** A write into a place has ended. */
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
    if (shard.journal().bytes() > journalBytes) {
      relieveJournal();
    }
  }

  /**
   * Folds the stripes of the oldest items. What cannot be folded, since servers are down and
   * objects are lost, is not tried again at every write.
   */
  private void relieveJournal() {
    if (relieving || System.nanoTime() - notBeforeNanos < 0) {
      return;
    }
    relieving = true;
    long oldest = shard.journal().oldest();
    folding.foldAll(
        shard.journal().oldestStripes(ITEMS_AT_ONCE),
        () -> {
          relieving = false;
          if (shard.journal().oldest() == oldest) {
            notBeforeNanos = System.nanoTime() + RETRY_NANOS;
          }
        });
  }

  /** Has a stripe folded. */
  void fold(int stripe) {
    folding.fold(stripe, () -> {});
  }

  private boolean isFull(int stripe) {
    int slots = shard.slotsPerChunk(stripe);
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }
}
