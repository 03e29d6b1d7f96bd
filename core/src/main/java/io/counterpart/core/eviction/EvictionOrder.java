package io.counterpart.core.eviction;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The stripe to look at next, over all slot classes. Only objects of one class can be merged, so
 * each class has a {@link StripeQueue} of its own. The next class is the one at whose hand the
 * stripe has waited for longest: since it was opened, or since a hand was there last. So all
 * classes keep unread objects for the same time, and a class that nobody writes any more gives its
 * memory to the others.
 *
 * <p>A class that is <em>wanted</em> gives each second look, once from each of its stripes in a
 * round: what the others have given was of no use to somebody who waits for memory.
 *
 * <p>Time is counted in looks and in stripes opened, so no two stripes have waited equally long.
 * Not thread-safe.
 */
public final class EvictionOrder {
  private final StripeQueue[] queues;
  private int[] lastLook = new int[64];
  private int time;

  /** Classes that give each second look, until the end of the round. */
  private final BitSet wanted = new BitSet();

  private int lastWanted;
  private boolean isWantedNext = true;

  /** The time when the round began. */
  private int begun;

  /**
   * @param slotClasses number of slot classes, 1 and above
   */
  public EvictionOrder(int slotClasses) {
    queues = new StripeQueue[slotClasses];
    Arrays.setAll(queues, slotClass -> new StripeQueue());
  }

  /** A stripe has been opened: the youngest of its class. */
  public void add(int stripe, int slotClass) {
    queues[slotClass].add(stripe);
    look(stripe);
  }

  /** A stripe has been opened for objects that stay. */
  public void addMerged(int stripe, int slotClass) {
    queues[slotClass].addBehindHand(stripe);
    look(stripe);
  }

  /** A stripe is freed, or is about to be. */
  public void remove(int stripe, int slotClass) {
    queues[slotClass].remove(stripe);
  }

  /** Number of stripes. */
  public int size() {
    return Arrays.stream(queues).mapToInt(StripeQueue::size).sum();
  }

  /** Removes all stripes. */
  public void clear() {
    Arrays.setAll(queues, slotClass -> new StripeQueue());
  }

  /** Has a class give each second look, until the end of the round. */
  public void want(int slotClass) {
    wanted.set(slotClass);
  }

  /** Begins a round: a wanted class gives each of its stripes once in it. */
  public void beginRound() {
    begun = time;
  }

  /** Ends a round: no class is wanted any more. */
  public void endRound() {
    wanted.clear();
  }

  /** The class to evict from; {@link StripeQueue#NONE} if there is no stripe. */
  public int nextClass() {
    int next = isWantedNext ? nextWanted() : StripeQueue.NONE;
    return next == StripeQueue.NONE ? longestWaiting() : next;
  }

  /** The next wanted class with a stripe at its hand that this round has not looked at. */
  private int nextWanted() {
    for (int i = 1; i <= queues.length; i++) {
      int slotClass = (lastWanted + i) % queues.length;
      int stripe = wanted.get(slotClass) ? queues[slotClass].atHand() : StripeQueue.NONE;
      if (stripe != StripeQueue.NONE && lastLook[stripe] - begun <= 0) {
        return slotClass;
      }
    }
    return StripeQueue.NONE;
  }

  private int longestWaiting() {
    int next = StripeQueue.NONE;
    int waited = -1;
    for (int slotClass = 0; slotClass < queues.length; slotClass++) {
      int stripe = queues[slotClass].atHand();
      // a difference, so that the count may overflow
      int waits = stripe == StripeQueue.NONE ? -1 : time - lastLook[stripe];
      if (waits > waited) {
        next = slotClass;
        waited = waits;
      }
    }
    return next;
  }

  /** The stripe at the hand of a class; {@link StripeQueue#NONE} if the class has none. */
  public int atHand(int slotClass) {
    return queues[slotClass].atHand();
  }

  /** Leaves the stripe at the hand of a class where it is. */
  public void pass(int slotClass) {
    int stripe = queues[slotClass].atHand();
    if (stripe != StripeQueue.NONE) {
      lastWanted = isWantedNext ? slotClass : lastWanted;
      isWantedNext = !isWantedNext;
      look(stripe);
      queues[slotClass].pass();
    }
  }

  private void look(int stripe) {
    if (stripe >= lastLook.length) {
      lastLook = Arrays.copyOf(lastLook, Math.max(stripe + 1, lastLook.length * 3 / 2));
    }
    lastLook[stripe] = ++time;
  }
}
