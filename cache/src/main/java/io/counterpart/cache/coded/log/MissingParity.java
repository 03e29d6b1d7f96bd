package io.counterpart.cache.coded.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sealed stripes that lack a parity item on a server in use. The server had no memory for the item,
 * and memcached drops the old item when it refuses a new one. The stripe's journal entries stay
 * until {@code MissingParityRepair} has written the item. Belongs to the shard's event loop.
 */
public final class MissingParity {
  private final Map<Integer, List<JournalItem>> stripes = new LinkedHashMap<>();
  private Runnable end = () -> {};

  /**
   * Adds a stripe.
   *
   * @param held journal items with entries of it, to be released once its parity is there
   */
  public void add(int stripe, List<JournalItem> held) {
    stripes.computeIfAbsent(stripe, number -> new ArrayList<>()).addAll(held);
  }

  /** Removes a stripe; returns the journal items that were held for it. */
  public List<JournalItem> remove(int stripe) {
    List<JournalItem> held = stripes.remove(stripe);
    return held == null ? List.of() : held;
  }

  /** Whether a journal item up to a number is held. */
  public boolean isHeldUpTo(long number) {
    return stripes.values().stream()
        .flatMap(List::stream)
        .anyMatch(item -> item.number() <= number);
  }

  /** Stripes for which no journal item is held: a crash forgets them. */
  public List<Integer> unheldStripes() {
    return stripes.entrySet().stream()
        .filter(entry -> entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  public boolean isEmpty() {
    return stripes.isEmpty();
  }

  /**
   * Registers a callback that runs once, at the next look of {@code MissingParityRepair} that finds
   * no stripe, nor deltas that only an earlier process's journals protect.
   */
  public void onceEmpty(Runnable listener) {
    end = listener;
  }

  /** Runs the waiting callbacks if no stripe is left. */
  public void tellIfEmpty() {
    if (stripes.isEmpty()) {
      Runnable told = end;
      end = () -> {};
      told.run();
    }
  }

  public List<Integer> stripes() {
    return List.copyOf(stripes.keySet());
  }

  public int size() {
    return stripes.size();
  }

  public void clear() {
    stripes.clear();
  }
}
