package io.counterpart.cache.coding;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache of decoding tables by pattern of erasures: a hash table of 1024 places in which a new
 * pattern replaces the old one. (14,10) has 1001 patterns of 4 erasures. A look-up allocates
 * nothing. Not thread-safe.
 *
 * @param <T> what is prepared for a pattern
 */
final class DecodePatterns<T> {

  private record Prepared<T>(int used, int wanted, T value) {}

  private static final int PLACE_BITS = 10;

  /** The chunks of the widest code. */
  private static final int CHUNK_BITS = 14;

  /** Knuth's multiplier: 2³² divided by the golden ratio. */
  private static final int SPREAD = 0x9e3779b1;

  private final BiFunction<Integer, Integer, T> preparation;
  private final @Nullable Prepared<T>[] places;

  /**
   * @param preparation prepares the tables for sets of used and wanted chunks
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  DecodePatterns(BiFunction<Integer, Integer, T> preparation) {
    this.preparation = preparation;
    this.places = new Prepared[1 << PLACE_BITS];
  }

  T get(int used, int wanted) {
    int place = ((used << CHUNK_BITS ^ wanted) * SPREAD) >>> (Integer.SIZE - PLACE_BITS);
    Prepared<T> found = places[place];
    if (found == null || found.used != used || found.wanted != wanted) {
      found = new Prepared<>(used, wanted, preparation.apply(used, wanted));
      places[place] = found;
    }
    return found.value;
  }
}
