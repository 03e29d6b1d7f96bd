package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;

/**
 * What writes make due: a full stripe is sealed, an empty one freed, and the stripes of the oldest
 * journal items are folded when journals take more than their bound. Belongs to the shard's event
 * loop.
 */
final class WriteUpkeep {
  private static final int FOLDS_AT_ONCE = 32;

  private final Shard shard;
  private final Folding folding;
  private final long journalBytes;
  private int foldsUnderWay;

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
    if (shard.journal().bytes() > journalBytes && foldsUnderWay < FOLDS_AT_ONCE) {
      shard.journal().oldestStripes(FOLDS_AT_ONCE).forEach(this::fold);
    }
  }

  /** Has a stripe folded. */
  void fold(int stripe) {
    foldsUnderWay++;
    folding.fold(stripe, () -> foldsUnderWay--);
  }

  private boolean isFull(int stripe) {
    int slots = shard.slotsPerChunk(stripe);
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }
}
