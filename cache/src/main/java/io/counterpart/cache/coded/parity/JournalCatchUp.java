package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.shard.Shard;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Brings the writes that journals hold now into parity, before a restored server counts as whole,
 * and before servers leave. Such servers take their copies of entries with them; the losses that
 * the code tolerates from then on could take the others. Belongs to the shard's event loop.
 */
public final class JournalCatchUp {
  /** Least pause before stripes that could not be folded are tried again. */
  private static final long LEAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Shard shard;
  private final Folding folding;
  private final Background background;

  public JournalCatchUp(Shard shard, Folding folding, Background background) {
    this.shard = shard;
    this.folding = folding;
    this.background = background;
  }

  /**
   * Begins.
   *
   * @param isWanted whether to go on with another attempt
   * @param done runs once parity includes every write that has been journalled until now, and none
   *     of it is missing for lack of memory
   */
  public void begin(BooleanSupplier isWanted, Runnable done) {
    fold(shard.journal().lastNumber(), isWanted, done);
  }

  /** Folds also what is released already: a write may still be under way in such a stripe. */
  private void fold(long last, BooleanSupplier isWanted, Runnable done) {
    long beginNanos = System.nanoTime();
    Set<Integer> stripes = shard.journal().stripesUpTo(last);
    stripes.addAll(shard.pending().stripes());
    folding.foldEach(
        stripes,
        () -> {
          if (needsEntriesUpTo(last)) {
            background.afterPause(
                beginNanos, LEAST_PAUSE_NANOS, () -> tryAgain(last, isWanted, done));
          } else {
            done.run();
          }
        });
  }

  private void tryAgain(long last, BooleanSupplier isWanted, Runnable done) {
    if (isWanted.getAsBoolean()) {
      fold(last, isWanted, done);
    }
  }

  private boolean needsEntriesUpTo(long last) {
    return shard.journal().isStoringUpTo(last)
        || shard.pending().isJournalledUpTo(last)
        || shard.missingParity().isHeldUpTo(last)
        || shard.journal().isKeeping()
            && (shard.pending().hasUnjournalled() || !shard.missingParity().isReplayWhole());
  }
}
