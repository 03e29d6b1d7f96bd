package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.log.PendingDeltas;
import io.counterpart.cache.coded.parity.FoldQueue;
import io.counterpart.cache.coded.server.ServerTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Frees memory before a write is refused for lack of memory: memory that no object needs, by
 * folding journals, freeing empty stripes and emptying sparse ones; or that of objects that nobody
 * uses, if the tier evicts. Belongs to the shard's event loop.
 */
public final class MemoryRelief {
  /** No slot class in particular. */
  public static final int ANY_CLASS = -1;

  private static final long PATIENCE_MILLIS = 1500;

  /** Time after which sparse stripes are emptied although folds wait for memory. */
  private static final long FOLD_MILLIS = 500;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ServerTable servers;
  private final PendingDeltas pending;
  private final FoldQueue folds;
  private final Background background;
  private final List<Waiting> waiting = new ArrayList<>();
  private @Nullable StripeCompaction compaction;
  private @Nullable Eviction eviction;
  private boolean underWay;
  private long ended;
  private long notBeforeNanos = System.nanoTime();

  /** A callback that runs once: at the end of the relief, or when its patience ends. */
  private static final class Waiting {
    private @Nullable Runnable body;

    Waiting(Runnable body) {
      this.body = body;
    }

    void end() {
      Runnable told = body;
      body = null;
      if (told != null) {
        told.run();
      }
    }
  }

  public MemoryRelief(
      ServerTable servers, PendingDeltas pending, FoldQueue folds, Background background) {
    this.pending = pending;
    this.servers = servers;
    this.folds = folds;
    this.background = background;
  }

  /** Has objects that nobody uses leave in place of this. */
  public void with(Eviction evicting) {
    eviction = evicting;
  }

  /** Whether to try again after a relief that was not enough. */
  public boolean isRepeatable() {
    Eviction evicting = eviction;
    return evicting != null && evicting.mayEvict();
  }

  /** Number of reliefs that have ended. */
  public long ended() {
    return ended;
  }

  /** Includes sparse stripes in the relief. */
  public void with(StripeCompaction emptier) {
    compaction = emptier;
  }

  /**
   * Begins, unless the last relief ended just now; an eviction follows another at once.
   *
   * @param slotClass of which an eviction takes objects too, young as they are; {@link #ANY_CLASS}:
   *     by age alone
   * @param done runs when the relief has ended, or takes too long
   */
  public void begin(int slotClass, Runnable done) {
    if (!underWay && !isDue()) {
      done.run();
      return;
    }
    Waiting one = new Waiting(done);
    waiting.add(one);
    background.after(PATIENCE_MILLIS, one::end);
    Eviction evicting = eviction;
    if (evicting != null && slotClass != ANY_CLASS) {
      evicting.want(slotClass);
    }
    if (underWay) {
      return;
    }
    underWay = true;
    if (evicting != null && evicting.mayEvict()) {
      evicting.round(this::end);
    } else {
      folds.fold(pending.journalledStripes(), FOLD_MILLIS, this::empty);
    }
  }

  /** Begins, unless the last relief ended just now; an eviction follows another at once. */
  public void ask() {
    if (!underWay && isDue()) {
      begin(ANY_CLASS, () -> {});
    }
  }

  private boolean isDue() {
    return isRepeatable() || System.nanoTime() - notBeforeNanos >= 0;
  }

  private void empty() {
    StripeCompaction emptier = compaction;
    if (emptier == null) {
      end();
    } else {
      emptier.hurry(this::end);
    }
  }

  private void end() {
    underWay = false;
    ended++;
    notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
    servers.all().forEach(link -> link.memory().lookSoon());
    List<Waiting> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(Waiting::end);
  }
}
