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
  private static final String CHUNKS_PER_PAGE = ":chunks_per_page";

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

  /** The use that {@code stats slabs} tells of. */
  static SlabUse of(Map<String, String> stats) {
    Map<Integer, SlabClass> classes = new TreeMap<>();
    for (String name : stats.keySet()) {
      int colon = name.length() - CHUNKS_PER_PAGE.length();
      if (colon > 0 && name.endsWith(CHUNKS_PER_PAGE) && number(stats, name) > 0) {
        String slabClass = name.substring(0, colon);
        classes.put(
            Integer.valueOf(slabClass),
            new SlabClass(
                number(stats, slabClass + ":chunk_size"),
                number(stats, name),
                number(stats, slabClass + ":total_pages"),
                number(stats, slabClass + ":free_chunks")));
      }
    }
    return new SlabUse(Long.parseLong(stats.getOrDefault("total_malloced", "0")), classes);
  }

  private static int number(Map<String, String> stats, String name) {
    return Integer.parseInt(stats.getOrDefault(name, "0"));
  }
}
