package io.counterpart.cache.index;

import java.util.Arrays;

/**
 * The sizes of slots. A record lies in a slot of the smallest class that holds it; all slots of a
 * stripe are of one class. Sizes are multiples of 8 bytes: 32 to 128 in steps of 8, then each an
 * eighth above the one before up to 4 KiB, then a quarter.
 *
 * <p>The unused part of a slot is zeros, in parity and, up to 32 KiB, in the record's item. For
 * evenly spread lengths it is 6 % of the slots' bytes up to 4 KiB and 10 % above.
 *
 * <p>Numbers of classes are part of the metadata log: a change of the sizes needs a new format
 * there. Thread-safe: immutable.
 */
public final class SlotClasses {
  /** Bytes of a record beside the user's value. */
  public static final int RECORD_HEADER_BYTES = 32;

  /** Longest value in bytes, 1 MiB. */
  public static final int MAX_VALUE_BYTES = 1 << 20;

  /** Longest record in bytes. */
  public static final int MAX_RECORD_BYTES = RECORD_HEADER_BYTES + MAX_VALUE_BYTES;

  private static final int MIN_SLOT_BYTES = 32;
  private static final int CHUNK_BYTES = 4096;
  private static final int MAX_SLOTS = 128;
  private static final int STEP_BYTES = 8;
  private static final int LAST_STEP_BYTES = 128;

  /** Size of the largest class but one: logs name classes by number, so it stays. */
  private static final int LARGEST_BUT_ONE_BYTES = MAX_RECORD_BYTES - STEP_BYTES;

  private static final int[] SIZES = sizes();

  /** The class of each record length up to a chunk's, in steps of 8. */
  private static final byte[] CLASS_OF_STEP = classOfStep();

  private SlotClasses() {}

  private static int[] sizes() {
    int[] sizes = new int[128];
    int count = 0;
    int size = MIN_SLOT_BYTES;
    while (size < LARGEST_BUT_ONE_BYTES) {
      sizes[count++] = size;
      if (size < LAST_STEP_BYTES) {
        size += STEP_BYTES;
      } else {
        int larger = size + size / (size < CHUNK_BYTES ? 8 : 4);
        size = (larger + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
      }
    }
    sizes[count++] = LARGEST_BUT_ONE_BYTES;
    sizes[count++] = MAX_RECORD_BYTES;
    return Arrays.copyOf(sizes, count);
  }

  private static byte[] classOfStep() {
    byte[] classes = new byte[CHUNK_BYTES / STEP_BYTES + 1];
    int slotClass = 0;
    for (int step = 0; step < classes.length; step++) {
      if (step * STEP_BYTES > SIZES[slotClass]) {
        slotClass++;
      }
      classes[step] = (byte) slotClass;
    }
    return classes;
  }

  /** Number of classes; they are numbered from 0, by size. */
  public static int count() {
    return SIZES.length;
  }

  /**
   * Class of a record.
   *
   * @param recordBytes header and value, {@link #RECORD_HEADER_BYTES} to {@link #MAX_RECORD_BYTES}
   * @throws IllegalArgumentException if the length is illegal
   */
  public static int of(int recordBytes) {
    if (recordBytes < RECORD_HEADER_BYTES || recordBytes > MAX_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "record of "
              + recordBytes
              + " bytes, legal: "
              + RECORD_HEADER_BYTES
              + " to "
              + MAX_RECORD_BYTES);
    }
    if (recordBytes <= CHUNK_BYTES) {
      return CLASS_OF_STEP[(recordBytes + STEP_BYTES - 1) / STEP_BYTES];
    }
    int found = Arrays.binarySearch(SIZES, recordBytes);
    return found >= 0 ? found : -found - 1;
  }

  /**
   * Class of the record of a value.
   *
   * @param valueBytes 0 to {@link #MAX_VALUE_BYTES}
   * @throws IllegalArgumentException if the length is illegal
   */
  public static int ofValue(int valueBytes) {
    return of(RECORD_HEADER_BYTES + valueBytes);
  }

  /** Size of a slot in bytes. */
  public static int slotBytes(int slotClass) {
    return SIZES[checked(slotClass)];
  }

  /** Slots of a chunk: as many as 4 KiB hold, at least 1 and at most 128. */
  public static int slotsPerChunk(int slotClass) {
    return Math.min(MAX_SLOTS, Math.max(1, CHUNK_BYTES / slotBytes(slotClass)));
  }

  private static int checked(int slotClass) {
    if (slotClass < 0 || slotClass >= SIZES.length) {
      throw new IllegalArgumentException(
          "slot class " + slotClass + ", legal: 0 to " + (SIZES.length - 1));
    }
    return slotClass;
  }
}
