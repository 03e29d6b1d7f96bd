package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.server.ServerLink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sealed stripes that lack a parity item on a server in use. The server had no memory for the item,
 * and memcached drops the old item when it refuses a new one. The stripe's journal entries stay
 * until {@code MissingParityRepair} has written the item, and a restart finds the stripe by them.
 * Parity that was encoded from data has no entries, and some entries have fewer copies than losses
 * are tolerated. The servers of such stripes are marked as lacking items: this process alone knows
 * which, and the next one takes a server that is marked as whole for having all. Belongs to the
 * shard's event loop.
 */
public final class MissingParity {
  private final int copies;
  private final Map<Integer, Stripe> stripes = new LinkedHashMap<>();

  /** Servers whose marks say that they lack items of these stripes. */
  private final Set<ServerLink> marked = new LinkedHashSet<>();

  private @Nullable Marks marks;
  private Runnable end = () -> {};

  /** Tells the next process which servers to restore. */
  public interface Marks {
    /** Marks a server in use as lacking items. */
    void lacking(ServerLink server);

    /** Marks a server as whole, unless it lacks other items. */
    void whole(ServerLink server);

    /** Whether a server has lost its journal items. */
    boolean isEmptied(ServerLink server);
  }

  private static final class Stripe {
    final List<JournalItem> held = new ArrayList<>();
    final Set<ServerLink> lacking = new LinkedHashSet<>();

    /** Whether the journals that a replay has read are kept for it. */
    final boolean isOfReplay;

    Stripe(boolean isOfReplay) {
      this.isOfReplay = isOfReplay;
    }

    /** Whether a restart finds it although the process and some servers are lost. */
    boolean isProtected(Marks marks, int copies) {
      return isOfReplay
          || held.stream()
                  .map(JournalItem::server)
                  .filter(server -> !marks.isEmptied(server))
                  .distinct()
                  .count()
              >= copies;
    }
  }

  /**
   * @param copies of a journal entry with which it outlives the process and all tolerated losses
   */
  public MissingParity(int copies) {
    this.copies = copies;
  }

  /**
   * Adds a stripe.
   *
   * @param held journal items with entries of it, to be released once its parity is there
   * @param lacking servers without its items
   */
  public void add(int stripe, List<JournalItem> held, Collection<ServerLink> lacking) {
    Stripe added = stripes.computeIfAbsent(stripe, number -> new Stripe(marks == null));
    added.held.addAll(held);
    added.lacking.addAll(lacking);
    Marks told = marks;
    if (told != null && !added.isProtected(told, copies)) {
      lacking.stream().filter(marked::add).forEach(told::lacking);
    }
  }

  /** Says which servers lack a stripe's items now. */
  public void lack(int stripe, Collection<ServerLink> servers) {
    Stripe known = stripes.get(stripe);
    if (known != null) {
      known.lacking.clear();
      known.lacking.addAll(servers);
    }
  }

  /**
   * Begins to mark servers. Until the replay has ended, the journals that it reads are there for
   * all stripes.
   */
  public void begin(Marks to) {
    marks = to;
  }

  /**
   * Marks servers as lacking and whole by what is missing now; also those again that were out of
   * reach when they should have been marked.
   */
  public void mark() {
    Marks told = Objects.requireNonNull(marks);
    Set<ServerLink> lacking = new LinkedHashSet<>();
    for (Stripe stripe : stripes.values()) {
      if (!stripe.isProtected(told, copies)) {
        lacking.addAll(stripe.lacking);
      }
    }
    List<ServerLink> whole = marked.stream().filter(server -> !lacking.contains(server)).toList();
    whole.forEach(marked::remove);
    marked.addAll(lacking);
    lacking.forEach(told::lacking);
    whole.forEach(told::whole);
  }

  /** Whether a server is marked as lacking items of these stripes. */
  public boolean isMarked(ServerLink server) {
    return marked.contains(server);
  }

  /** Removes a stripe; returns the journal items that were held for it. */
  public List<JournalItem> remove(int stripe) {
    Stripe removed = stripes.remove(stripe);
    return removed == null ? List.of() : removed.held;
  }

  /** Whether a journal item up to a number is held. */
  public boolean isHeldUpTo(long number) {
    return stripes.values().stream()
        .flatMap(stripe -> stripe.held.stream())
        .anyMatch(item -> item.number() <= number);
  }

  public boolean isEmpty() {
    return stripes.isEmpty();
  }

  /**
   * Registers a callback that runs once, at the next look of {@code MissingParityRepair} that finds
   * no stripe of the replay, nor deltas that only an earlier process's journals protect. Stripes
   * that have lost parity since have entries or marks of their own, and a full server may lack
   * parity of some stripe at any time: the next start would have to ask for ever more numbers.
   */
  public void onceReplayIsWhole(Runnable listener) {
    end = listener;
  }

  /** Whether no stripe is left of the replay, for which the journals that it has read are kept. */
  public boolean isReplayWhole() {
    return stripes.values().stream().noneMatch(stripe -> stripe.isOfReplay);
  }

  /** Runs the waiting callback if no stripe is left of the replay. */
  public void tellIfReplayIsWhole() {
    if (isReplayWhole()) {
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
