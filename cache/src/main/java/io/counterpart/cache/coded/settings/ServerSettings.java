package io.counterpart.cache.coded.settings;

import io.counterpart.cache.coded.item.SlabSizes;
import io.counterpart.cache.index.SlotClasses;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a server that the tier depends on, from {@code stats settings}. */
public final class ServerSettings {
  /**
   * The largest items are journal items and the parity of the largest record, which memcached
   * counts with their keys and headers; a journal item takes entries until it has 32 KiB.
   */
  static final long NEEDED_ITEM_BYTES = SlotClasses.MAX_RECORD_BYTES + (64 << 10);

  private final Map<String, String> values;

  /**
   * @param values by name
   */
  public ServerSettings(Map<String, String> values) {
    this.values = values;
  }

  private long number(String name) {
    return Long.parseLong(values.getOrDefault(name, "0"));
  }

  /** Memory for items in bytes. */
  public long limitBytes() {
    return number("maxbytes");
  }

  /** The sizes of its slab classes. */
  public SlabSizes slabSizes() {
    int spaceBytes = Math.toIntExact(number("chunk_size"));
    double growthFactor = Double.parseDouble(values.getOrDefault("growth_factor", "0"));
    int chunkBytes = Math.toIntExact(number("slab_chunk_max"));
    return spaceBytes > 0 && growthFactor > 1 && chunkBytes > 0
        ? SlabSizes.of(spaceBytes, growthFactor, chunkBytes)
        : SlabSizes.DEFAULT;
  }

  /** The reason why the tier cannot use the server; null if it can. */
  public @Nullable String refusal() {
    long itemBytes = number("item_size_max");
    if (itemBytes < NEEDED_ITEM_BYTES) {
      return "its item_size_max is %d bytes, legal: %d and above, as with -I 2m"
          .formatted(itemBytes, NEEDED_ITEM_BYTES);
    }
    if ("on".equals(values.get("evictions"))) {
      return "its evictions are on, legal: off, as with -M";
    }
    return "no".equals(values.get("flush_enabled"))
        ? "its flush_all is off, legal: on, as without -F"
        : null;
  }
}
