package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.flow.Background;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.coded.shard.FreeSlots;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import io.counterpart.core.eviction.EvictionOrder;
import io.counterpart.core.eviction.LookDecision;
import io.counterpart.core.eviction.StripeQueue;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes room for new objects: evicts stripes in the order of {@link EvictionOrder}, a few at once,
 * in rounds. Which objects were used is known since the start only. Belongs to the shard's event
 * loop.
 */
public final class Eviction {
  private static final int STRIPES_OF_ROUND = 16;
  private static final int STRIPES_AT_ONCE = 4;

  /** Looks of a round at most: the hand may find many stripes that stay. */
  private static final int LOOKS_OF_ROUND = 1024;

  /** Slots of a round that are searched for objects that may leave: bounds a turn of the loop. */
  private static final int SLOTS_OF_ROUND = 8192;

  /** Enough for the decision to give up every object of a stripe. */
  private static final int MOST_LOOKS_IN_VAIN = 1 << 20;

  /** Pause after a round in vain: clients change objects of the stripes. */
  private static final int RETRY_MILLIS = 20;

  private final ShardServices services;
  private final Shard shard;
  private final Moves moves;
  private final Background background;
  private final BooleanSupplier mayEvict;
  private final BooleanSupplier mayMove;
  private final EvictionRule rule;
  private final EvictionOrder order = new EvictionOrder(SlotClasses.count());
  private final Ages ages = new Ages();
  private Runnable roundEnded = () -> {};
  private boolean choosing;
  private int looksLeft;
  private int slotsLeft;
  private int stripesLeft;
  private int underWay;

  /** Looks since a stripe left, while nothing can move. */
  private int looksInVain;

  /**
   * @param mayEvict whether objects may leave now
   * @param mayMove whether they may move to other stripes now
   * @param rule what may leave
   */
  public Eviction(
      ShardServices services,
      Moves moves,
      Background background,
      BooleanSupplier mayEvict,
      BooleanSupplier mayMove,
      EvictionRule rule) {
    this.services = services;
    this.shard = services.shard();
    this.moves = moves;
    this.background = background;
    this.mayEvict = mayEvict;
    this.mayMove = mayMove;
    this.rule = rule;
  }

  /** Begins to follow the stripes; those that are there are in the order of their numbers. */
  public void begin() {
    StripeIndex stripes = shard.stripes();
    for (int stripe = 0; stripe < stripes.end(); stripe++) {
      if (stripes.state(stripe) != StripeState.FREE) {
        order.add(stripe, stripes.slotClass(stripe));
      }
    }
    shard.freeSlots().watch(new Stripes());
  }

  /** Keeps the order. */
  private final class Stripes implements FreeSlots.Watch {
    @Override
    public void opened(int stripe, boolean isForStaying) {
      int slotClass = shard.stripes().slotClass(stripe);
      shard.readSlots().clear(stripe);
      ages.begin(stripe);
      if (isForStaying) {
        order.addMerged(stripe, slotClass);
      } else {
        order.add(stripe, slotClass);
      }
    }

    @Override
    public void freed(int stripe) {
      order.remove(stripe, shard.stripes().slotClass(stripe));
    }

    @Override
    public void cleared() {
      order.clear();
    }
  }

  /** Seconds since stripes were opened; since the start for those that were there by then. */
  private static final class Ages {
    private final long beginNanos = System.nanoTime();

    /** Seconds from the start to the opening of each stripe. */
    private int[] opened = new int[64];

    void begin(int stripe) {
      if (stripe >= opened.length) {
        opened = Arrays.copyOf(opened, Math.max(stripe + 1, opened.length * 3 / 2));
      }
      opened[stripe] = (int) now();
    }

    long seconds(int stripe) {
      return now() - (stripe < opened.length ? opened[stripe] : 0);
    }

    private long now() {
      return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
    }
  }

  /** Whether objects may leave now. */
  boolean mayEvict() {
    return mayEvict.getAsBoolean();
  }

  /**
   * Whether objects may move to other stripes now. A record stays where it is when its object
   * moves, so nothing else may be bringing records to their servers meanwhile.
   */
  boolean mayMove() {
    return mayMove.getAsBoolean();
  }

  /** Has a slot class looked at too, until the round that is under way, or the next, has ended. */
  void want(int slotClass) {
    order.want(slotClass);
  }

  /**
   * Evicts some stripes; no other round is under way.
   *
   * @param ended runs once they are gone, or some have turned out to be busy
   */
  void round(Runnable ended) {
    roundEnded = ended;
    order.beginRound();
    looksLeft = Math.min(LOOKS_OF_ROUND, order.size());
    slotsLeft = SLOTS_OF_ROUND;
    stripesLeft = STRIPES_OF_ROUND;
    choose();
  }

  private void choose() {
    if (choosing) {
      return; // the loop below, further up the stack, goes on
    }
    choosing = true;
    while (underWay < STRIPES_AT_ONCE
        && underWay < stripesLeft
        && Math.min(looksLeft, slotsLeft) > 0
        && look()) {
      looksLeft--;
    }
    choosing = false;
    if (underWay == 0) {
      order.endRound();
      background.after(stripesLeft < STRIPES_OF_ROUND ? 0 : RETRY_MILLIS, roundEnded);
    }
  }

  /** Looks at the stripe at the hand; false if there is none, or none may be evicted now. */
  private boolean look() {
    int slotClass = mayEvict() ? order.nextClass() : StripeQueue.NONE;
    if (slotClass == StripeQueue.NONE) {
      return false;
    }
    int stripe = order.atHand(slotClass);
    order.pass(slotClass);
    int slots = shard.code().k() * shard.slotsPerChunk(stripe);
    if (decide(shard.readSlots().count(stripe), slots) == LookDecision.KEEP) {
      shard.readSlots().clear(stripe);
    } else if (shard.stripes().live(stripe) > 0 && isIdle(stripe)) {
      underWay++;
      slotsLeft -= slots;
      ObjectMoves leaving = new ObjectMoves(services, moves, stripe);
      new StripeEviction(services, leaving, this, rule, ages.seconds(stripe), this::ended).begin();
    }
    return true;
  }

  private LookDecision decide(int read, int slots) {
    if (mayMove()) {
      looksInVain = 0;
      return LookDecision.of(read, slots);
    }
    looksInVain = Math.min(looksInVain + 1, MOST_LOOKS_IN_VAIN);
    return LookDecision.withoutMoves(read, looksInVain - 1);
  }

  /** Whether nobody is in a stripe: who is there may wait for the memory that this is to free. */
  private boolean isIdle(int stripe) {
    return !shard.freeSlots().isWithheld(stripe) && !shard.gates().isBusy(stripe);
  }

  private void ended(boolean isFree) {
    underWay--;
    looksInVain = isFree ? 0 : looksInVain;
    stripesLeft -= isFree ? 1 : 0;
    choose();
  }
}
