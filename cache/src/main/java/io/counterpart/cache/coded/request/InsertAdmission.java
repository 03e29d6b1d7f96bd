package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.evict.MemoryRelief;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.item.ServerMemory;
import io.counterpart.cache.coded.item.SlabRoom;
import io.counterpart.cache.coded.item.SlabSizes;
import io.counterpart.cache.coded.server.Items;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.NewRecord;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.format.ParityFormat;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether servers have memory for one more object without touching the reserve, which
 * updates need. An insert is refused before anything is written, because a server that refuses a
 * record has dropped the previous one. A server's memory is looked up again when the last look is
 * old, or when it seems too full although items were sent since.
 *
 * <p>{@link SlabRoom} knows the free memory by class of item sizes; the future parity of open
 * stripes is subtracted. Belongs to the shard's event loop.
 */
public final class InsertAdmission {
  /** Evictions go on for that long while they free memory of other servers or sizes. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * They go on for longer until so many have ended. If this process, a server or the disk stands
   * still, time passes in which nothing becomes free.
   */
  private static final long LEAST_RELIEFS = 3;

  /** Longest time for those. */
  private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Time after which evictions take objects of the write's own slot class too. Those of other sizes
   * leave their memory to this one only in whole pages, and the last page of a size never.
   */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Shard shard;
  private final MemoryRelief relief;
  private final Map<ServerLink, Map<Long, Integer>> owed = new HashMap<>();
  private long countedNanos = System.nanoTime() - COUNT_NANOS;

  /**
   * The time since which a write waits for memory.
   *
   * @param beganNanos when it asked first, in {@link System#nanoTime}
   * @param reliefs number of those that had ended by then
   */
  record Wait(long beganNanos, long reliefs) {}

  public InsertAdmission(Shard shard, MemoryRelief relief) {
    this.shard = shard;
    this.relief = relief;
  }

  /** A wait that begins now. */
  Wait begin() {
    return new Wait(System.nanoTime(), relief.ended());
  }

  /** Frees the memory that can be freed for a record, then continues. */
  void relieve(NewRecord record, Wait wait, Runnable done) {
    boolean isLate = System.nanoTime() - wait.beganNanos() >= LATE_NANOS;
    relief.begin(isLate ? record.slotClass() : MemoryRelief.ANY_CLASS, done);
  }

  /**
   * Whether a write without memory asks for relief, or asks again.
   *
   * @param wait null if it has not asked yet
   */
  boolean mayRelieve(@Nullable Wait wait) {
    return wait == null || relief.isRepeatable() && isPatient(wait);
  }

  private boolean isPatient(Wait wait) {
    return isPatient(System.nanoTime() - wait.beganNanos(), relief.ended() - wait.reliefs());
  }

  /**
   * Whether a write goes on waiting.
   *
   * @param waitedNanos since it asked first
   * @param reliefs number of those that have ended since
   */
  static boolean isPatient(long waitedNanos, long reliefs) {
    return waitedNanos < (reliefs >= LEAST_RELIEFS ? PATIENCE_NANOS : MOST_PATIENCE_NANOS);
  }

  /**
   * Asks for memory for a record in a place.
   *
   * @param replaced the record that it replaces, in another slot; null if there is none
   * @param decided gets a callback to run when the record is written; null if there is no memory
   */
  public void ask(
      NewRecord record,
      Place place,
      byte @Nullable [] replaced,
      Consumer<@Nullable Runnable> decided) {
    boolean shrinking = replaced != null && record.recordBytes() < replaced.length;
    ask(
        () -> needs(record, place, replaced),
        (memory, bytes) -> memory.admits(bytes, shrinking),
        decided);
  }

  /** Whether an update in its slot writes an item of another length, and so may find no memory. */
  static boolean isAnotherItem(NewRecord record, byte[] replaced) {
    return Items.itemLength(record.recordBytes()) != Items.itemLength(replaced.length);
  }

  /** As {@link #ask}, for a record in the slot of the one that it replaces, from the reserve. */
  void askInPlace(NewRecord record, byte[] replaced, Consumer<@Nullable Runnable> decided) {
    ask(() -> needs(record, replaced), ServerMemory::admitsUpdate, decided);
  }

  private void ask(
      Supplier<Map<ServerLink, Long>> needed,
      BiPredicate<ServerMemory, Long> admits,
      Consumer<@Nullable Runnable> decided) {
    Map<ServerLink, Long> needs = needed.get();
    List<ServerLink> unknown =
        needs.entrySet().stream()
            .filter(need -> isWorthALook(need.getKey().memory(), need.getValue(), admits))
            .map(Map.Entry::getKey)
            .toList();
    if (unknown.isEmpty()) {
      boolean enough =
          needs.entrySet().stream()
              .allMatch(need -> admits.test(need.getKey().memory(), need.getValue()));
      decided.accept(enough ? spend(needs) : null);
      return;
    }
    // other writes may take the memory first: then look again
    Countdown looked = new Countdown(unknown.size(), () -> ask(needed, admits, decided));
    unknown.forEach(link -> link.memory().look(looked::oneLess));
  }

  private static boolean isWorthALook(
      ServerMemory memory, long itemBytes, BiPredicate<ServerMemory, Long> admits) {
    return memory.isForgotten() || memory.isWorthALook() && !admits.test(memory, itemBytes);
  }

  private static Runnable spend(Map<ServerLink, Long> needs) {
    needs.forEach((link, bytes) -> link.memory().spend(bytes));
    return () -> needs.forEach((link, bytes) -> link.memory().landed(bytes));
  }

  /** The items that servers will get: the record, and parity if the stripe is new. */
  private Map<ServerLink, Long> needs(NewRecord record, Place place, byte @Nullable [] replaced) {
    int stripe = place.stripe();
    boolean isNew =
        shard.stripes().state(stripe) == StripeState.OPEN && shard.stripes().live(stripe) == 0;
    Map<ServerLink, Long> needs = needs(record, replaced);
    if (isNew) {
      for (ServerLink link : shard.placement().parityServers(stripe)) {
        put(needs, link, parityBytes(stripe));
      }
    }
    return needs;
  }

  private Map<ServerLink, Long> needs(NewRecord record, byte @Nullable [] replaced) {
    Map<ServerLink, Long> needs = new HashMap<>();
    ServerLink server = shard.placement().dataServer(KeyHash.of(record.key().bytes()));
    int length = Items.itemLength(record.recordBytes());
    long bytes = SlabSizes.itemBytes(record.key().lengthBytes(), length);
    boolean isThere =
        replaced != null
            && server.memory().isAlike(bytes, replacedItemBytes(record.key(), replaced));
    if (!isThere) {
      put(needs, server, bytes);
    }
    return needs;
  }

  /** A server that is not usable gets nothing, so its memory does not matter. */
  private static void put(Map<ServerLink, Long> needs, ServerLink link, long bytes) {
    if (link.isUsable()) {
      needs.put(link, bytes);
    }
  }

  private static long replacedItemBytes(Key key, byte[] replaced) {
    return SlabSizes.itemBytes(key.lengthBytes(), Items.itemLength(replaced.length));
  }

  /** Parity items that the server will get when the open stripes are sealed. */
  public Map<Long, Integer> owedItems(ServerLink link) {
    if (System.nanoTime() - countedNanos > COUNT_NANOS) {
      countedNanos = System.nanoTime();
      owed.clear();
      for (int stripe : shard.pending().stripes()) {
        if (shard.stripes().state(stripe) == StripeState.OPEN) {
          long bytes = parityBytes(stripe);
          for (ServerLink server : shard.placement().parityServers(stripe)) {
            owed.computeIfAbsent(server, of -> new HashMap<>()).merge(bytes, 1, Integer::sum);
          }
        }
      }
    }
    return owed.getOrDefault(link, Map.of());
  }

  private long parityBytes(int stripe) {
    long bytes = (long) shard.slotBytes(stripe) * shard.slotsPerChunk(stripe);
    return SlabSizes.itemBytes(OwnKeys.PARITY_KEY_BYTES, ParityFormat.HEADER_BYTES + bytes);
  }
}
