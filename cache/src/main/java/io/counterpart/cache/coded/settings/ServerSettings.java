package io.counterpart.cache.coded.settings;

import io.counterpart.cache.coded.item.SlabSizes;
import io.counterpart.cache.index.SlotClasses;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server that the tier depends on, from {@code stats settings}. Not thread-safe.
 */
public final class ServerSettings {
  /**
   * The largest items are journal items and the parity of the largest record, which memcached
   * counts with their keys and headers; a journal item takes entries until it has 32 KiB.
   */
  static final long NEEDED_ITEM_BYTES = SlotClasses.MAX_RECORD_BYTES + (64 << 10);

  private long limitBytes;
  private long itemBytes;
  private int spaceBytes;
  private double growthFactor;
  private int chunkBytes;
  private boolean evicts;
  private boolean refusesToEmpty;

  /** Takes a line without its {@code STAT}; ignores other names. */
  public void line(String text) {
    String[] words = text.strip().split(" ");
    if (words.length != 2) {
      return;
    }
    switch (words[0]) {
      case "maxbytes" -> limitBytes = Long.parseLong(words[1]);
      case "item_size_max" -> itemBytes = Long.parseLong(words[1]);
      case "chunk_size" -> spaceBytes = Integer.parseInt(words[1]);
      case "growth_factor" -> growthFactor = Double.parseDouble(words[1]);
      case "slab_chunk_max" -> chunkBytes = Integer.parseInt(words[1]);
      case "evictions" -> evicts = words[1].equals("on");
      case "flush_enabled" -> refusesToEmpty = words[1].equals("no");
      default -> {}
    }
  }

  /** Memory for items in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** The sizes of its slab classes. */
  public SlabSizes slabSizes() {
    return spaceBytes > 0 && growthFactor > 1 && chunkBytes > 0
        ? SlabSizes.of(spaceBytes, growthFactor, chunkBytes)
        : SlabSizes.DEFAULT;
  }

  /** The reason why the tier cannot use the server; null if it can. */
  public @Nullable String refusal() {
    if (itemBytes < NEEDED_ITEM_BYTES) {
      return "its item_size_max is %d bytes, legal: %d and above, as with -I 2m"
          .formatted(itemBytes, NEEDED_ITEM_BYTES);
    }
    if (evicts) {
      return "its evictions are on, legal: off, as with -M";
    }
    return refusesToEmpty ? "its flush_all is off, legal: on, as without -F" : null;
  }
}
