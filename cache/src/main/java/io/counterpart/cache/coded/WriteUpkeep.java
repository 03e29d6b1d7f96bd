package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;

/**
 * The work that writes make due: seals full stripes, frees empty ones, and folds journals that are
 * too long. Belongs to the shard's event loop.
 */
final class WriteUpkeep {
  private final Shard shard;
  private final JournalFolding journals;

  WriteUpkeep(Shard shard, JournalFolding journals) {
    this.shard = shard;
    this.journals = journals;
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
    journals.foldIfTooLong();
  }

  /** Folds a stripe. */
  void fold(int stripe) {
    journals.fold(stripe);
  }

  private boolean isFull(int stripe) {
    int slots = shard.slotsPerChunk(stripe);
    return shard.stripes().live(stripe) == slots * shard.code().k();
  }
}
