package io.counterpart.cache.coded.item;

import java.util.Arrays;

/**
 * The sizes of memcached's slab classes: an item lies in a chunk of the smallest class that holds
 * it. The sizes are computed from memcached's settings as memcached does; {@code stats slabs} names
 * only classes that have a page. Thread-safe: immutable.
 */
public final class SlabSizes {
  /**
   * memcached's overhead of an item: its header, the CAS value, a zero after the key, a line end.
   */
  static final int ITEM_HEADER_BYTES = 48 + 8 + 1 + 2;

  private static final int STRUCT_BYTES = 48;
  private static final int ALIGNMENT_BYTES = 8;
  private static final int MOST_CLASSES = 62;

  /** The sizes of a memcached with default settings, apart from the length of its largest item. */
  public static final SlabSizes DEFAULT = of(48, 1.25, 512 << 10);

  private final int[] chunkBytes;

  private SlabSizes(int[] chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /**
   * The sizes for given settings.
   *
   * @param spaceBytes {@code chunk_size}: least bytes of key and value
   * @param factor {@code growth_factor}
   * @param mostBytes {@code slab_chunk_max}
   */
  public static SlabSizes of(int spaceBytes, double factor, int mostBytes) {
    int[] sizes = new int[MOST_CLASSES + 1];
    int count = 0;
    int size = STRUCT_BYTES + spaceBytes;
    while (count < MOST_CLASSES && size < mostBytes / factor) {
      size = (size + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
      sizes[count++] = size;
      size = (int) (size * factor);
    }
    sizes[count++] = mostBytes;
    return new SlabSizes(Arrays.copyOf(sizes, count));
  }

  /** These sizes, or the reported ones if they differ: then classes without a page are unknown. */
  SlabSizes orThoseOf(SlabUse use) {
    int[] told =
        use.classes().values().stream().mapToInt(SlabUse.SlabClass::chunkBytes).sorted().toArray();
    return Arrays.stream(told).allMatch(size -> Arrays.binarySearch(chunkBytes, size) >= 0)
        ? this
        : new SlabSizes(told);
  }

  int count() {
    return chunkBytes.length;
  }

  /** Bytes of a class's chunks; classes are numbered from 0, by size. */
  int chunkBytes(int slabClass) {
    return chunkBytes[slabClass];
  }

  /** Class of items of this size; the last one for items of several chunks. */
  public int of(long itemBytes) {
    int slabClass = 0;
    while (slabClass < chunkBytes.length - 1 && chunkBytes[slabClass] < itemBytes) {
      slabClass++;
    }
    return slabClass;
  }

  /** Number of chunks of an item: one, unless it is longer than the largest. */
  int chunks(long itemBytes) {
    int largest = chunkBytes[chunkBytes.length - 1];
    return itemBytes <= largest ? 1 : Math.toIntExact((itemBytes + largest - 1) / largest);
  }

  /** Bytes of an item with key and memcached's own header. */
  public static long itemBytes(int keyBytes, long valueBytes) {
    return ITEM_HEADER_BYTES + keyBytes + valueBytes;
  }
}
