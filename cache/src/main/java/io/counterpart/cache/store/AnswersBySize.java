package io.counterpart.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads that found an object, by the size of its value and by what had it: the hit ratio of a size
 * is memory's share. Reads that find nothing have no size. Thread-safe.
 */
public final class AnswersBySize {
  /** Largest values of the sizes, in bytes; the last size has no bound. */
  private static final int[] BOUNDS = {64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10};

  private final LongAdder[] memory = adders();
  private final LongAdder[] store = adders();

  /**
   * The counts of a size.
   *
   * @param name the largest value in bytes, or {@code more}
   * @param memory answers from memory
   * @param store answers from the store, because memory had no copy, or none to be trusted
   */
  public record OfSize(String name, long memory, long store) {}

  private static LongAdder[] adders() {
    LongAdder[] adders = new LongAdder[BOUNDS.length + 1];
    for (int i = 0; i < adders.length; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void fromMemory(int bytes) {
    memory[size(bytes)].increment();
  }

  void fromStore(int bytes) {
    store[size(bytes)].increment();
  }

  private static int size(int bytes) {
    int size = 0;
    while (size < BOUNDS.length && bytes > BOUNDS[size]) {
      size++;
    }
    return size;
  }

  /** All sizes, the smallest first. */
  public List<OfSize> all() {
    List<OfSize> all = new ArrayList<>();
    for (int size = 0; size < memory.length; size++) {
      String name = size < BOUNDS.length ? Integer.toString(BOUNDS[size]) : "more";
      all.add(new OfSize(name, memory[size].sum(), store[size].sum()));
    }
    return all;
  }
}
