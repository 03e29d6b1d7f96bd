package io.counterpart.core.eviction.simulator;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sizes of objects in slots. Values follow a generalized Pareto distribution with the shape
 * 0.348238 that Facebook's pool ETC has (Atikoglu et al., SIGMETRICS '12, §5), scaled to a mean; or
 * all have one size. The tier's slots: an eighth apart, as many in a chunk as 4 KiB hold.
 * Immutable.
 */
final class ObjectSizes {
  private static final double SHAPE = 0.348238;
  private static final int HEADER_BYTES = 32;
  private static final int LEAST_SLOT_BYTES = 32;
  private static final int MOST_SLOT_BYTES = 64 << 10;
  private static final int CHUNK_BYTES = 4096;
  private static final int MOST_SLOTS = 128;

  private final int[] slotBytes;
  private final byte[] classOf;

  private ObjectSizes(int[] valueBytes) {
    this.slotBytes = slots();
    this.classOf = new byte[valueBytes.length];
    for (int object = 0; object < classOf.length; object++) {
      int bytes = Math.min(MOST_SLOT_BYTES, HEADER_BYTES + valueBytes[object]);
      int found = Arrays.binarySearch(slotBytes, bytes);
      classOf[object] = (byte) (found >= 0 ? found : -found - 1);
    }
  }

  private static int[] slots() {
    int[] sizes = new int[Byte.MAX_VALUE];
    int count = 0;
    int size = LEAST_SLOT_BYTES;
    while (size < MOST_SLOT_BYTES) {
      sizes[count++] = size;
      size += Math.max(8, size / 64 * 8);
    }
    sizes[count++] = MOST_SLOT_BYTES;
    return Arrays.copyOf(sizes, count);
  }

  /** All values have one size. */
  static ObjectSizes equal(int objects, int valueBytes) {
    int[] sizes = new int[objects];
    Arrays.fill(sizes, valueBytes);
    return new ObjectSizes(sizes);
  }

  /** Values of ETC's shape with a mean. */
  static ObjectSizes paretoOfMean(int objects, int meanBytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double scale = meanBytes * (1 - SHAPE);
    int[] sizes = new int[objects];
    for (int object = 0; object < objects; object++) {
      double tail = 1 - random.nextDouble();
      sizes[object] = (int) Math.min(1 << 20, scale / SHAPE * (Math.pow(tail, -SHAPE) - 1));
    }
    return new ObjectSizes(sizes);
  }

  /** Number of objects. */
  int objects() {
    return classOf.length;
  }

  /** Bytes of an object's slot. */
  int bytes(int object) {
    return slotBytes[classOf[object]];
  }

  /** Bytes of all objects' slots. */
  long totalBytes() {
    long total = 0;
    for (int object = 0; object < classOf.length; object++) {
      total += bytes(object);
    }
    return total;
  }

  /** The class of an object's slot. */
  int slotClass(int object) {
    return classOf[object];
  }

  /** Number of classes. */
  int classes() {
    return slotBytes.length;
  }

  /** Bytes of a slot of a class. */
  int slotBytes(int slotClass) {
    return slotBytes[slotClass];
  }

  /** Slots in a chunk of a class. */
  int slotsPerChunk(int slotClass) {
    return Math.max(1, Math.min(MOST_SLOTS, CHUNK_BYTES / slotBytes[slotClass]));
  }
}
