package io.counterpart.core.eviction.simulator;

import io.counterpart.core.eviction.EvictionOrder;
import io.counterpart.core.eviction.LookDecision;
import io.counterpart.core.eviction.StripeQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The memory tier's eviction: objects in slots of stripes, evicted by the stripe. An object takes
 * its slot, on a server of its ring; a stripe takes the memory of its parity chunks beside, however
 * few of its slots are used. New objects and those that stay fill stripes of their own, since the
 * hand comes to them at different times: new objects among old ones would live a whole round
 * without a read, as under FIFO. Not thread-safe.
 */
public final class StripeCache implements SimulatedCache {
  private final Code code;
  private final ObjectSizes sizes;
  private final long capacityBytes;
  private final boolean moves;
  private final EvictionOrder order;
  private final List<SimulatedStripe> stripes = new ArrayList<>();
  private final Deque<Integer> freeNumbers = new ArrayDeque<>();
  private final Room fresh = new Room();
  private final Room staying = new Room();
  private final int[] stripeOf;
  private final int[] slotOf;
  private int looks;
  private long usedBytes;
  private long evicted;
  private long moved;

  /**
   * A code.
   *
   * @param n rings, data and parity
   * @param k chunks of data, 1 to n − 1
   */
  public record Code(int n, int k) {
    public Code {
      if (k < 1 || k >= n) {
        throw new IllegalArgumentException("code (%d, %d), legal: 1 ≤ k < n".formatted(n, k));
      }
    }
  }

  /**
   * @param capacityBytes of all servers, parity included
   * @param moves whether objects that were read can move to other stripes
   */
  StripeCache(Code code, ObjectSizes sizes, long capacityBytes, boolean moves) {
    this.code = code;
    this.sizes = sizes;
    this.capacityBytes = capacityBytes;
    this.moves = moves;
    this.order = new EvictionOrder(sizes.classes());
    this.stripeOf = new int[sizes.objects()];
    this.slotOf = new int[sizes.objects()];
    Arrays.fill(stripeOf, StripeQueue.NONE);
  }

  /** Objects that left. */
  long evictedObjects() {
    return evicted;
  }

  /** Objects that moved to another stripe, which is one read of each. */
  long movedObjects() {
    return moved;
  }

  /** Objects that are there. */
  long objectCount() {
    return Arrays.stream(stripeOf).filter(stripe -> stripe != StripeQueue.NONE).count();
  }

  /** Share of the memory that slots with objects and parity take. */
  double usedShare() {
    return (double) usedBytes / capacityBytes;
  }

  @Override
  public boolean request(int object) {
    if (stripeOf[object] != StripeQueue.NONE) {
      stripes.get(stripeOf[object]).read(slotOf[object]);
      return true;
    }
    insert(object);
    return false;
  }

  private int ring(int object) {
    return Math.floorMod(object * 0x9E3779B9 >>> 7, code.n());
  }

  private void insert(int object) {
    int slotClass = sizes.slotClass(object);
    int slotBytes = sizes.slotBytes(slotClass);
    SimulatedStripe stripe = fresh.withRoom(slotClass, ring(object));
    long parityBytes = stripe == null ? parityBytes(slotClass) : 0;
    while (usedBytes + slotBytes + parityBytes > capacityBytes) {
      evict();
      stripe = fresh.withRoom(slotClass, ring(object));
      parityBytes = stripe == null ? parityBytes(slotClass) : 0;
    }
    if (stripe == null) {
      stripe = open(slotClass, ring(object), fresh);
      order.add(stripe.number, slotClass);
    }
    place(object, stripe);
    usedBytes += slotBytes;
  }

  /** Stripes of one kind that have free slots. */
  private final class Room {
    private final Map<Integer, Deque<SimulatedStripe>> stripesOf = new HashMap<>();

    @Nullable SimulatedStripe withRoom(int slotClass, int ring) {
      Deque<SimulatedStripe> candidates = of(slotClass, ring);
      while (!candidates.isEmpty() && !isOpen(candidates.element(), ring)) {
        candidates.remove();
      }
      return candidates.peek();
    }

    private boolean isOpen(SimulatedStripe stripe, int ring) {
      return stripes.get(stripe.number) == stripe && stripe.hasRoom(ring);
    }

    void add(SimulatedStripe stripe, int[] rings) {
      for (int ring : rings) {
        of(stripe.slotClass, ring).add(stripe);
      }
    }

    private Deque<SimulatedStripe> of(int slotClass, int ring) {
      return stripesOf.computeIfAbsent(slotClass * code.n() + ring, key -> new ArrayDeque<>());
    }
  }

  private int[] ringsFrom(int ring) {
    return IntStream.range(ring, ring + code.k()).map(each -> each % code.n()).sorted().toArray();
  }

  private SimulatedStripe open(int slotClass, int ring, Room room) {
    Integer reused = freeNumbers.poll();
    int number = reused == null ? stripes.size() : reused;
    int[] rings = ringsFrom(ring);
    SimulatedStripe stripe =
        new SimulatedStripe(number, slotClass, rings, sizes.slotsPerChunk(slotClass));
    if (reused == null) {
      stripes.add(stripe);
    } else {
      stripes.set(number, stripe);
    }
    room.add(stripe, rings);
    usedBytes += parityBytes(slotClass);
    return stripe;
  }

  private void place(int object, SimulatedStripe stripe) {
    stripeOf[object] = stripe.number;
    slotOf[object] = stripe.put(object, ring(object));
  }

  private long parityBytes(int slotClass) {
    return (long) (code.n() - code.k())
        * sizes.slotsPerChunk(slotClass)
        * sizes.slotBytes(slotClass);
  }

  private void evict() {
    int slotClass = order.nextClass();
    if (slotClass == StripeQueue.NONE) {
      throw new IllegalStateException("%d bytes do not hold one stripe".formatted(capacityBytes));
    }
    SimulatedStripe stripe = stripes.get(order.atHand(slotClass));
    if (decide(stripe) == LookDecision.KEEP) {
      stripe.clearRead();
      order.pass(slotClass);
    } else {
      looks = 0;
      empty(stripe);
    }
  }

  private LookDecision decide(SimulatedStripe stripe) {
    return moves
        ? LookDecision.of(stripe.readCount(), stripe.slots())
        : LookDecision.withoutMoves(stripe.readCount(), looks++);
  }

  private void empty(SimulatedStripe stripe) {
    int slotBytes = sizes.slotBytes(stripe.slotClass);
    order.remove(stripe.number, stripe.slotClass);
    // nothing moves into it any more
    stripes.set(stripe.number, null);
    if (!moves) {
      stripe.clearRead();
    }
    stripe.objects(true).forEach(object -> move(object, stripe.slotClass));
    stripe.objects(false).filter(object -> stripeOf[object] == stripe.number).forEach(this::drop);
    usedBytes -= (long) (stripe.live() - stripe.readCount()) * slotBytes;
    usedBytes -= parityBytes(stripe.slotClass);
    freeNumbers.add(stripe.number);
  }

  private void drop(int object) {
    stripeOf[object] = StripeQueue.NONE;
    evicted++;
  }

  private void move(int object, int slotClass) {
    SimulatedStripe target = staying.withRoom(slotClass, ring(object));
    if (target == null) {
      target = open(slotClass, ring(object), staying);
      order.addMerged(target.number, slotClass);
    }
    place(object, target);
    moved++;
  }
}
