package io.counterpart.core.eviction;

import java.util.Arrays;

/**
 * SIEVE's queue, of stripes: new ones join at its young end. A hand goes from the old end to the
 * young one, and then begins at the old end again. Objects in the stripe at the hand leave if
 * nobody has read them since the hand was there; the rest stay, and their bits are cleared.
 *
 * <p>Why not LRU: there a read moves its object to the young end, between the new ones, most of
 * which are never read again. In SIEVE what stays keeps its place, so the hand comes back to the
 * young part soon, and new objects leave fast unless they are read. A scan of cold keys so passes
 * through the young part only. Worked: stripes 1 2 3 4, 1 the oldest, and only the objects of 2 are
 * read. The hand frees 1, passes 2, frees 3; new stripes 5 and 6 join. The queue is 2 4 5 6 with
 * the hand at 4: it comes to 5 and 6 before it comes to 2 again.
 *
 * <p>Eight bytes for each stripe number. Not thread-safe. Paper: SIEVE §3.1; the unit of the paper
 * is an object.
 */
public final class StripeQueue {
  /** No stripe. */
  public static final int NONE = -1;

  private static final int ABSENT = -2;
  private static final int FIRST_SIZE = 64;

  private int[] older = filled(new int[FIRST_SIZE], 0);
  private int[] younger = filled(new int[FIRST_SIZE], 0);
  private int oldest = NONE;
  private int youngest = NONE;
  private int hand = NONE;
  private int size;

  /** Stripes in the queue. */
  public int size() {
    return size;
  }

  /** Whether a stripe is in the queue. */
  public boolean contains(int stripe) {
    return stripe >= 0 && stripe < older.length && older[stripe] != ABSENT;
  }

  /**
   * Adds a new stripe at the young end.
   *
   * @throws IllegalArgumentException if the number is negative or the stripe is in the queue
   */
  public void add(int stripe) {
    link(stripe, youngest, NONE);
  }

  /**
   * Adds a stripe of objects that the hand has passed, at the place that the hand has just left: it
   * comes there again after all others.
   *
   * @throws IllegalArgumentException if the number is negative or the stripe is in the queue
   */
  public void addBehindHand(int stripe) {
    link(stripe, hand == NONE ? NONE : older[hand], hand);
  }

  /** The stripe to look at now; {@link #NONE} if there is none. */
  public int atHand() {
    return hand;
  }

  /** Leaves the stripe at the hand where it is, and goes on to the next younger one. */
  public void pass() {
    if (hand != NONE) {
      goOnTo(younger[hand]);
    }
  }

  /**
   * Removes a stripe. A hand that was there goes on to the next younger one.
   *
   * @throws IllegalArgumentException if it is not in the queue
   */
  public void remove(int stripe) {
    if (!contains(stripe)) {
      throw new IllegalArgumentException("stripe " + stripe + " is not in the queue");
    }
    int before = older[stripe];
    int after = younger[stripe];
    if (before == NONE) {
      oldest = after;
    } else {
      younger[before] = after;
    }
    if (after == NONE) {
      youngest = before;
    } else {
      older[after] = before;
    }
    if (hand == stripe) {
      goOnTo(after);
    }
    older[stripe] = ABSENT;
    younger[stripe] = ABSENT;
    size--;
  }

  private void link(int stripe, int before, int after) {
    if (stripe < 0 || contains(stripe)) {
      throw new IllegalArgumentException("stripe " + stripe + " is negative or in the queue");
    }
    grow(stripe);
    older[stripe] = before;
    younger[stripe] = after;
    if (before == NONE) {
      oldest = stripe;
    } else {
      younger[before] = stripe;
    }
    if (after == NONE) {
      youngest = stripe;
    } else {
      older[after] = stripe;
    }
    size++;
    if (hand == NONE) {
      hand = stripe;
    }
  }

  private void goOnTo(int stripe) {
    hand = stripe == NONE ? oldest : stripe;
  }

  private void grow(int stripe) {
    if (stripe >= older.length) {
      int length = Math.max(stripe + 1, older.length + older.length / 2);
      int from = older.length;
      older = filled(Arrays.copyOf(older, length), from);
      younger = filled(Arrays.copyOf(younger, length), from);
    }
  }

  private static int[] filled(int[] links, int from) {
    Arrays.fill(links, from, links.length, ABSENT);
    return links;
  }
}
