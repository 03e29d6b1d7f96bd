package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.server.ServerLink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sealed stripes that lack a parity item on a server in use. The server had no memory for the item,
 * and memcached drops the old item when it refuses a new one. The stripe's journal entries stay
 * until {@code MissingParityRepair} has written the item. Parity that was encoded anew has no
 * entries: after a crash only its server's mark tells that some is missing. Belongs to the shard's
 * event loop.
 */
public final class MissingParity {
  private final Map<Integer, List<JournalItem>> stripes = new LinkedHashMap<>();

  /** Servers that may lack items for which no journal entry is held. */
  private final Set<ServerLink> unprotected = new LinkedHashSet<>();

  private @Nullable Consumer<ServerLink> onUnprotected;
  private long refusals;
  private Runnable end = () -> {};

  /**
   * Adds a stripe.
   *
   * @param held journal items with entries of it, to be released once its parity is there
   * @param lacking servers without its items
   */
  public void add(int stripe, List<JournalItem> held, Collection<ServerLink> lacking) {
    List<JournalItem> all = stripes.computeIfAbsent(stripe, number -> new ArrayList<>());
    all.addAll(held);
    Consumer<ServerLink> told = onUnprotected;
    if (all.isEmpty() && told != null) {
      refusals++;
      lacking.stream().filter(unprotected::add).forEach(told);
    }
  }

  /**
   * Registers who marks servers that lack items for which no journal entry is held, from now on:
   * until the replay has ended, the journals that it reads are there for all stripes.
   */
  public void onUnprotected(Consumer<ServerLink> listener) {
    onUnprotected = listener;
  }

  /** Servers that may lack items for which no journal entry is held. */
  public List<ServerLink> unprotected() {
    return List.copyOf(unprotected);
  }

  /** Whether a server may lack items for which no journal entry is held. */
  public boolean isUnprotected(ServerLink server) {
    return unprotected.contains(server);
  }

  /** Number of times that items without journal entries were refused. */
  public long refusals() {
    return refusals;
  }

  /** A server has all items for which no journal entry is held. */
  public void isProtected(ServerLink server) {
    unprotected.remove(server);
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

  /** Stripes for which no journal item is held. */
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
