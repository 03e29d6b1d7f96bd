package io.counterpart.cache.coded.item;

import java.util.Map;
import java.util.TreeMap;

/**
 * A server's memory by slab class, from {@code stats slabs}. memcached allocates memory in pages of
 * 1 MiB. A page belongs to one slab class or to a pool that all classes draw on; {@code slabs
 * reassign} moves a page from a class to the pool. The items of that page move to free chunks of
 * their class, and memcached <em>drops</em> those that find none, with {@code -M} too. So a class
 * must give up a page only if it has free chunks for a whole page and a quarter, which leaves room
 * for writes that arrive meanwhile.
 *
 * @param mallocedBytes bytes of all pages, those of the pool included
 * @param classes slab classes by number; memcached leaves out classes without a page
 */
record SlabUse(long mallocedBytes, Map<Integer, SlabClass> classes) {
  /** Bytes of a page. */
  static final long PAGE_BYTES = 1 << 20;

  private static final int LEAST_MARGIN_CHUNKS = 4;

  /** No class. */
  static final int NONE = -1;

  /**
   * A class of item sizes.
   *
   * @param chunkBytes size of a chunk, for an item with key and memcached's own header
   */
  record SlabClass(int chunkBytes, int chunksPerPage, int pages, int freeChunks) {
    /** Pages that can be taken from the class without dropping an item; the last one stays. */
    int sparePages() {
      int margin = Math.max(LEAST_MARGIN_CHUNKS, chunksPerPage / 4);
      return Math.max(0, Math.min(pages - 1, (freeChunks - margin) / chunksPerPage));
    }
  }

  SlabUse {
    classes = Map.copyOf(classes);
  }

  /** Pages that any class can have at once. */
  long poolPages(long limitBytes) {
    long ofClasses = classes.values().stream().mapToLong(SlabClass::pages).sum();
    long pool = Math.max(0, mallocedBytes / PAGE_BYTES - ofClasses);
    return pool + Math.max(0, (limitBytes - mallocedBytes) / PAGE_BYTES);
  }

  /** Pages of a class. */
  int pages(int slabClass) {
    SlabClass of = classes.get(slabClass);
    return of == null ? 0 : of.pages();
  }

  /** The class with the most pages to spare; {@link #NONE} if there is none. */
  int donor() {
    int donor = NONE;
    int most = 0;
    for (Map.Entry<Integer, SlabClass> entry : new TreeMap<>(classes).entrySet()) {
      if (entry.getValue().sparePages() > most) {
        donor = entry.getKey();
        most = entry.getValue().sparePages();
      }
    }
    return donor;
  }

  /** Reads the lines of {@code stats slabs}. */
  static final class Reader {
    private final Map<Integer, int[]> numbers = new TreeMap<>();
    private long mallocedBytes;

    /** Takes a line without its {@code STAT}; ignores other names. */
    void line(String text) {
      String[] words = text.strip().split(" ");
      if (words.length != 2) {
        return;
      }
      if (words[0].equals("total_malloced")) {
        mallocedBytes = Long.parseLong(words[1]);
        return;
      }
      int colon = words[0].indexOf(':');
      int field =
          switch (words[0].substring(colon + 1)) {
            case "chunk_size" -> 0;
            case "chunks_per_page" -> 1;
            case "total_pages" -> 2;
            case "free_chunks" -> 3;
            default -> NONE;
          };
      if (colon > 0 && field != NONE) {
        int slabClass = Integer.parseInt(words[0].substring(0, colon));
        numbers.computeIfAbsent(slabClass, number -> new int[4])[field] =
            Integer.parseInt(words[1]);
      }
    }

    /** The result of the lines. */
    SlabUse read() {
      Map<Integer, SlabClass> classes = new TreeMap<>();
      numbers.forEach(
          (number, of) -> {
            if (of[1] > 0) {
              classes.put(number, new SlabClass(of[0], of[1], of[2], of[3]));
            }
          });
      return new SlabUse(mallocedBytes, classes);
    }
  }
}
