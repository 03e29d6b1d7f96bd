package io.counterpart.cache.index;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The state of each stripe in 16 bytes outside the heap: its phase, slot class, layout and number
 * of live objects. Numbers of freed stripes are reused, the longest free one first, so that a late
 * message about the old stripe has time to arrive.
 *
 * <p>The layout is 64 bits of the owner's: in n rings those of {@link DataRings}.
 *
 * <p>Not thread-safe: the thread that owns the shard uses it alone. {@link #close} drops the
 * memory, which the garbage collector then frees; any later call throws {@link
 * IllegalStateException}. Paper: ECHash §3.
 */
public final class StripeIndex implements AutoCloseable {
  /** Highest number of a stripe. */
  public static final int MAX_STRIPE = IndexEntry.MAX_STRIPE;

  private static final int STRIPE_BYTES = 16;
  private static final int BUFFER_BITS = 10;
  private static final int BUFFER_STRIPES = 1 << BUFFER_BITS;
  private static final int NO_STRIPE = -1;
  private static final int MAX_LIVE = 0xffff;
  private static final byte FREE = 0;
  private static final byte OPEN = 1;
  private static final byte SEALED = 2;

  // offsets within a stripe's 16 bytes; while it is free, the two links of the list of free ones
  private static final int STATE = 0;
  private static final int SLOT_CLASS = 1;
  private static final int LIVE = 2;
  private static final int NEXT_FREE = 4;
  private static final int LAYOUT = 8;
  private static final int PREVIOUS_FREE = 8;

  private ByteBuffer[] buffers = new ByteBuffer[4];
  private int bufferCount;
  private int end;
  private int used;
  private int open;
  private long slots;
  private int firstFree = NO_STRIPE;
  private int lastFree = NO_STRIPE;
  private boolean closed;

  /**
   * Number for the next stripe, 0 to {@link #MAX_STRIPE}: the longest free one.
   *
   * @throws IllegalStateException if all numbers are used
   */
  public int nextStripe() {
    if (firstFree != NO_STRIPE) {
      return firstFree;
    }
    if (end > MAX_STRIPE) {
      throw new IllegalStateException(end + " stripes, legal: up to " + (MAX_STRIPE + 1L));
    }
    return end;
  }

  /**
   * Opens a stripe under a free number.
   *
   * @param slotClass a class of {@link SlotClasses}
   * @throws IllegalArgumentException if there is no such number or class
   * @throws IllegalStateException if the stripe is not free
   */
  public void openAt(int stripe, int slotClass, long layout) {
    if (stripe < 0 || stripe > MAX_STRIPE) {
      throw new IllegalArgumentException("stripe " + stripe + ", legal: 0 to " + MAX_STRIPE);
    }
    SlotClasses.slotBytes(slotClass);
    while (end <= stripe) {
      extend();
    }
    require(stripe, StripeState.FREE);
    unlink(stripe);
    ByteBuffer buffer = buffer(stripe);
    int at = offset(stripe);
    buffer.put(at + STATE, OPEN);
    buffer.put(at + SLOT_CLASS, (byte) slotClass);
    buffer.putShort(at + LIVE, (short) 0);
    buffer.putInt(at + NEXT_FREE, 0);
    buffer.putLong(at + LAYOUT, layout);
    used++;
    open++;
    slots += SlotClasses.slotsPerChunk(slotClass);
  }

  /**
   * Marks an open stripe as encoded.
   *
   * @throws IllegalStateException if it is not open
   */
  public void seal(int stripe) {
    require(stripe, StripeState.OPEN);
    buffer(stripe).put(offset(stripe) + STATE, SEALED);
    open--;
  }

  /**
   * Frees a stripe; its number may be used again.
   *
   * @throws IllegalStateException if it is free already or has live objects
   */
  public void free(int stripe) {
    requireUsed(stripe);
    int live = live(stripe);
    if (live != 0) {
      throw new IllegalStateException(
          "stripe " + stripe + " has " + live + " live objects, legal when freed: 0");
    }
    if (state(stripe) == StripeState.OPEN) {
      open--;
    }
    slots -= SlotClasses.slotsPerChunk(slotClass(stripe));
    buffer(stripe).put(offset(stripe) + STATE, FREE);
    linkLast(stripe);
    used--;
  }

  /**
   * Changes the number of live objects.
   *
   * @return the new number
   * @throws IllegalStateException if the stripe is free
   * @throws IllegalArgumentException if the number would be below 0 or above 65,535
   */
  public int addLive(int stripe, int change) {
    requireUsed(stripe);
    int live = live(stripe) + change;
    if (live < 0 || live > MAX_LIVE) {
      throw new IllegalArgumentException(
          live + " live objects in stripe " + stripe + ", legal: 0 to " + MAX_LIVE);
    }
    buffer(stripe).putShort(offset(stripe) + LIVE, (short) live);
    return live;
  }

  /** State of a stripe; free if the number has never been used. */
  public StripeState state(int stripe) {
    if (closed) {
      throw new IllegalStateException("the stripe index is closed");
    }
    if (stripe < 0 || stripe >= end) {
      return StripeState.FREE;
    }
    return switch (buffer(stripe).get(offset(stripe) + STATE)) {
      case OPEN -> StripeState.OPEN;
      case SEALED -> StripeState.SEALED;
      default -> StripeState.FREE;
    };
  }

  /** Slot class of a stripe that is not free. */
  public int slotClass(int stripe) {
    requireUsed(stripe);
    return buffer(stripe).get(offset(stripe) + SLOT_CLASS);
  }

  /** Layout of a stripe that is not free. */
  public long layout(int stripe) {
    requireUsed(stripe);
    return buffer(stripe).getLong(offset(stripe) + LAYOUT);
  }

  /** Live objects of a stripe that is not free. */
  public int live(int stripe) {
    requireUsed(stripe);
    return buffer(stripe).getShort(offset(stripe) + LIVE) & MAX_LIVE;
  }

  /** Number of stripes that are not free. */
  public int size() {
    return used;
  }

  /** Number of stripes that are open. */
  public int open() {
    return open;
  }

  /** Slots of one chunk of every stripe together: a k-th of all data slots. */
  public long slotsPerChunk() {
    return slots;
  }

  /** One above the highest number ever used: the bound of a loop over all stripes. */
  public int end() {
    return end;
  }

  /** Memory outside the heap in bytes. */
  public long bytesUsed() {
    return (long) bufferCount * BUFFER_STRIPES * STRIPE_BYTES;
  }

  @Override
  public void close() {
    closed = true;
    buffers = new ByteBuffer[0];
    bufferCount = 0;
    end = 0;
    used = 0;
    open = 0;
    slots = 0;
    firstFree = NO_STRIPE;
    lastFree = NO_STRIPE;
  }

  private void extend() {
    if (closed) {
      throw new IllegalStateException("the stripe index is closed");
    }
    if (end == bufferCount << BUFFER_BITS) {
      if (bufferCount == buffers.length) {
        buffers = Arrays.copyOf(buffers, 2 * bufferCount);
      }
      buffers[bufferCount++] =
          ByteBuffer.allocateDirect(BUFFER_STRIPES * STRIPE_BYTES).order(ByteOrder.nativeOrder());
    }
    linkLast(end++);
  }

  private void linkLast(int stripe) {
    buffer(stripe).putInt(offset(stripe) + NEXT_FREE, NO_STRIPE);
    buffer(stripe).putInt(offset(stripe) + PREVIOUS_FREE, lastFree);
    if (lastFree == NO_STRIPE) {
      firstFree = stripe;
    } else {
      buffer(lastFree).putInt(offset(lastFree) + NEXT_FREE, stripe);
    }
    lastFree = stripe;
  }

  private void unlink(int stripe) {
    int next = buffer(stripe).getInt(offset(stripe) + NEXT_FREE);
    int previous = buffer(stripe).getInt(offset(stripe) + PREVIOUS_FREE);
    if (previous == NO_STRIPE) {
      firstFree = next;
    } else {
      buffer(previous).putInt(offset(previous) + NEXT_FREE, next);
    }
    if (next == NO_STRIPE) {
      lastFree = previous;
    } else {
      buffer(next).putInt(offset(next) + PREVIOUS_FREE, previous);
    }
  }

  private void require(int stripe, StripeState state) {
    StripeState actual = state(stripe);
    if (actual != state) {
      throw new IllegalStateException("stripe " + stripe + " is " + actual + ", legal: " + state);
    }
  }

  private void requireUsed(int stripe) {
    if (state(stripe) == StripeState.FREE) {
      throw new IllegalStateException("stripe " + stripe + " is FREE, legal: OPEN or SEALED");
    }
  }

  private ByteBuffer buffer(int stripe) {
    return buffers[stripe >>> BUFFER_BITS];
  }

  private static int offset(int stripe) {
    return (stripe & (BUFFER_STRIPES - 1)) * STRIPE_BYTES;
  }
}
