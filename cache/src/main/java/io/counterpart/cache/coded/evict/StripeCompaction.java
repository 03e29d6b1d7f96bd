package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.SparseStripes;
import java.util.ArrayList;
import java.util.List;

/**
 * Empties sparse stripes, those sealed stripes that use less than half of their slots. It moves
 * their objects to free slots of other sparse stripes, then frees them and their parity. It works
 * on one slot class at a time and one stripe at a time.
 *
 * <p>Emptying terminates: it opens no stripe, and it begins a stripe only if stripes that stay in
 * this pass have room for all of its objects. A later deletion makes a slot class due again.
 * Belongs to the shard's event loop.
 */
public final class StripeCompaction {
  private static final int LOOK_MILLIS = 200;
  private static final int RETRY_MILLIS = 5000;

  private final ShardServices services;
  private final Shard shard;
  private final Moves moves;
  private final Background background;
  private final List<Runnable> hurried = new ArrayList<>();
  private boolean working;

  /** Whether it waits after a lack of memory, which who hurries should not. */
  private boolean resting;

  public StripeCompaction(ShardServices services, Moves moves, Background background) {
    this.services = services;
    this.shard = services.shard();
    this.moves = moves;
    this.background = background;
  }

  public void begin() {
    lookIn(LOOK_MILLIS);
  }

  /**
   * Empties without pauses, because servers are short of memory.
   *
   * @param done runs once nothing is left to empty, or nothing may be emptied now
   */
  void hurry(Runnable done) {
    if (resting || !working && (!background.mayWork() || !shard.sparse().isAnyDue())) {
      done.run();
    } else {
      hurried.add(done);
    }
  }

  private void tellHurried() {
    List<Runnable> told = List.copyOf(hurried);
    hurried.clear();
    told.forEach(Runnable::run);
  }

  private void lookIn(int millis) {
    background.after(millis, this::look);
  }

  private void look() {
    resting = false;
    int slotClass = background.mayWork() ? shard.sparse().takeDue() : SparseStripes.NONE;
    working = slotClass != SparseStripes.NONE;
    if (slotClass == SparseStripes.NONE) {
      tellHurried();
      lookIn(LOOK_MILLIS);
    } else {
      new Pass(slotClass).next(0);
    }
  }

  /** One pass through the sparse stripes of a class. */
  private final class Pass {
    private final int slotClass;
    private final CompactionTargets targets;

    Pass(int slotClass) {
      this.slotClass = slotClass;
      this.targets = new CompactionTargets(shard, slotClass);
    }

    /** Empties the first suitable stripe from a number on. */
    void next(int from) {
      if (!background.mayWork()) {
        shard.sparse().putBack(slotClass);
        lookIn(LOOK_MILLIS);
        return;
      }
      int stripe = shard.sparse().next(slotClass, from);
      while (stripe != SparseStripes.NONE
          && (targets.contains(stripe) || shard.freeSlots().isWithheld(stripe))) {
        stripe = shard.sparse().next(slotClass, stripe + 1);
      }
      if (stripe == SparseStripes.NONE) {
        lookIn(hurried.isEmpty() ? LOOK_MILLIS : 0);
      } else if (targets.makeRoomFor(stripe)) {
        empty(stripe);
      } else {
        int after = stripe + 1;
        pause(System.nanoTime(), () -> next(after));
      }
    }

    private void pause(long beginNanos, Runnable next) {
      if (hurried.isEmpty()) {
        background.afterPause(beginNanos, next);
      } else {
        background.after(0, next);
      }
    }

    private void empty(int stripe) {
      long beginNanos = System.nanoTime();
      new StripeEmptying(
              services,
              moves,
              targets,
              stripe,
              end -> {
                if (end != StripeEmptying.End.EMPTY) {
                  shard.sparse().putBack(slotClass);
                }
                if (end == StripeEmptying.End.NO_MEMORY) {
                  resting = true;
                  tellHurried();
                  lookIn(RETRY_MILLIS);
                } else {
                  pause(beginNanos, () -> next(stripe + 1));
                }
              })
          .begin();
    }
  }
}
