package io.counterpart.cache.metadata;

import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.index.StripeIndex;
import io.counterpart.cache.index.StripeState;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Maps each slot of each data chunk to its key, whichever server has the object. Decoding, scaling
 * and repair read it, and it distinguishes keys with equal fingerprints.
 *
 * <p>The index stores no second copy of a key. For each slot it holds the position of the log
 * record that assigned the slot, 8 bytes in a memory-mapped file, and 16 more bytes for each
 * stripe. So an object costs 8 to 9 bytes of page cache, which the kernel may write out; on disk
 * its record of 14 bytes and the key; and no heap. Both files grow by 1 MiB.
 *
 * <p>Not thread-safe: the thread that owns the shard uses it alone. Reading throws {@link
 * DamagedLogException} where the log has changed. Paper: ECHash §3 (OIRList).
 */
public final class ChunkIndex implements AutoCloseable {
  private static final int MAX_SLOTS = 128;

  private final StripeIndex stripes;
  private final int dataChunks;
  private final LogFiles segments;

  /** Start of a stripe's slots in {@link #positions}, plus 1; 0 if it has none. */
  private final MappedLongs runs;

  /** Position of each slot's record; 0 if the slot is empty. */
  private final MappedLongs positions;

  /** First free run, plus 1, by slots a chunk; the first long of a free run links to the next. */
  private final long[] freeRuns = new long[MAX_SLOTS + 1];

  private long end;
  private long size;

  ChunkIndex(LogDirectory directory, int dataChunks, StripeIndex stripes, LogFiles segments)
      throws IOException {
    this.stripes = stripes;
    this.dataChunks = dataChunks;
    this.segments = segments;
    this.runs = new MappedLongs(directory.path().resolve("stripes.map"));
    this.positions = new MappedLongs(directory.path().resolve("slots.map"));
  }

  /** Number of slots with a key. */
  public long size() {
    return size;
  }

  /** Mapped memory in bytes; the page cache holds the used part. */
  public long mappedBytes() {
    return runs.bytes() + positions.bytes();
  }

  /**
   * The key in a slot, or null if it is empty.
   *
   * @throws IllegalStateException if the stripe is free
   * @throws IllegalArgumentException if it has no such chunk or slot
   */
  public byte @Nullable [] key(int stripe, int chunk, int slot) throws IOException {
    long position = position(stripe, chunk, slot);
    return position == 0 ? null : segments.key(position);
  }

  /** Passes every key of every stripe, by stripe, chunk and slot. */
  public void forEach(Visitor visitor) throws IOException {
    for (int stripe = 0; stripe < stripes.end(); stripe++) {
      if (stripes.state(stripe) != StripeState.FREE) {
        forEach(stripe, visitor);
      }
    }
  }

  /** Passes every key of a stripe, by chunk and slot. */
  public void forEach(int stripe, Visitor visitor) throws IOException {
    int slots = slots(stripe);
    for (int chunk = 0; chunk < dataChunks; chunk++) {
      for (int slot = 0; slot < slots; slot++) {
        byte[] key = key(stripe, chunk, slot);
        if (key != null) {
          visitor.visit(stripe, chunk, slot, key);
        }
      }
    }
  }

  /** Whether a slot has no key; the stripe is not free. Reads no file of the log. */
  public boolean isEmpty(int stripe, int chunk, int slot) {
    return position(stripe, chunk, slot) == 0;
  }

  /** Allocates the slots of a stripe that was just opened; behind them is the sequence of that. */
  void opened(int stripe, long sequence) throws IOException {
    int slots = slots(stripe);
    long longs = (long) slots * dataChunks + 1;
    runs.ensure(stripe + 1L);
    long run = freeRuns[slots] - 1;
    if (run < 0) {
      run = end;
      positions.ensure(end + longs);
      end += longs;
    } else {
      freeRuns[slots] = positions.get(run);
      positions.put(run, 0);
    }
    runs.put(stripe, run + 1);
    positions.put(run + longs - 1, sequence);
  }

  /** Sequence with which a stripe was opened; 0 if it is free, or the log does not tell. */
  public long begunAt(int stripe) {
    return stripes.state(stripe) == StripeState.FREE
        ? 0
        : positions.get(runs.get(stripe) - 1 + (long) slots(stripe) * dataChunks);
  }

  /** Empties the slots of a stripe that is about to be freed; returns the number of keys. */
  int freed(int stripe) {
    int slots = slots(stripe);
    long run = runs.get(stripe) - 1;
    int keys = 0;
    for (long at = run; at < run + (long) slots * dataChunks; at++) {
      if (positions.get(at) != 0) {
        keys++;
        positions.put(at, 0);
      }
    }
    positions.put(run, freeRuns[slots]);
    freeRuns[slots] = run + 1;
    runs.put(stripe, 0);
    size -= keys;
    return keys;
  }

  void assign(int stripe, int chunk, int slot, long position) {
    positions.put(index(stripe, chunk, slot), position);
    size++;
  }

  /** Makes a slot's key be read from another record, which a checkpoint wrote. */
  void relocate(int stripe, int chunk, int slot, long position) {
    positions.put(index(stripe, chunk, slot), position);
  }

  void free(int stripe, int chunk, int slot) {
    positions.put(index(stripe, chunk, slot), 0);
    size--;
  }

  @Override
  public void close() throws IOException {
    try (runs;
        positions) {
      size = 0;
    }
  }

  private long position(int stripe, int chunk, int slot) {
    return positions.get(index(stripe, chunk, slot));
  }

  private long index(int stripe, int chunk, int slot) {
    int slots = slots(stripe);
    if (chunk < 0 || chunk >= dataChunks) {
      throw new IllegalArgumentException(
          "chunk " + chunk + " of stripe " + stripe + ", legal: 0 to " + (dataChunks - 1));
    }
    if (slot < 0 || slot >= slots) {
      throw new IllegalArgumentException(
          "slot " + slot + " of stripe " + stripe + ", legal: 0 to " + (slots - 1));
    }
    return runs.get(stripe) - 1 + (long) chunk * slots + slot;
  }

  private int slots(int stripe) {
    return SlotClasses.slotsPerChunk(stripes.slotClass(stripe));
  }

  /** Takes keys. */
  @FunctionalInterface
  public interface Visitor {
    /** One key; the visitor must not change the log. */
    void visit(int stripe, int chunk, int slot, byte[] key) throws IOException;
  }
}
