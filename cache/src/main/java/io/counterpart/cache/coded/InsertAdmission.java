package io.counterpart.cache.coded;

import io.counterpart.cache.format.ParityFormat;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether servers have memory for one more object, with the reserve left alone that updates
 * live from. An insert is refused before anything is written: a server that refuses a record has
 * dropped the one before. What a server has is looked up when as much has been sent to it as was
 * known to be free, and once in 100 ms.
 *
 * <p>What is free {@link SlabRoom} tells, class by class of item sizes; parity that open stripes
 * will want is taken away. Belongs to the shard's event loop.
 */
final class InsertAdmission {
  private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Shard shard;
  private final MemoryRelief relief;
  private final Map<ServerLink, Map<Long, Integer>> owed = new HashMap<>();
  private long countedNanos = System.nanoTime() - COUNT_NANOS;

  InsertAdmission(Shard shard, MemoryRelief relief) {
    this.shard = shard;
    this.relief = relief;
  }

  /** Gives back what memory can be had, then goes on. */
  void relieve(Runnable done) {
    relief.begin(done);
  }

  /**
   * Asks for memory for a record in a place.
   *
   * @param replacedBytes length of the record that it replaces, in another slot; 0 if there is none
   * @param decided gets what is to be run when the record is written; null if there is no memory
   */
  void ask(NewRecord record, Place place, int replacedBytes, Consumer<@Nullable Runnable> decided) {
    Map<ServerLink, Long> needs = needs(record, place, replacedBytes);
    boolean shrinking = record.recordBytes() < replacedBytes;
    List<ServerLink> unknown =
        needs.entrySet().stream()
            .filter(need -> isWorthALook(need.getKey().memory(), need.getValue(), shrinking))
            .map(Map.Entry::getKey)
            .toList();
    if (unknown.isEmpty()) {
      boolean enough =
          needs.entrySet().stream()
              .allMatch(need -> need.getKey().memory().admits(need.getValue(), shrinking));
      decided.accept(enough ? spend(needs) : null);
      return;
    }
    // others may take what is found first: then it is looked up again
    Countdown looked =
        new Countdown(unknown.size(), () -> ask(record, place, replacedBytes, decided));
    unknown.forEach(link -> link.memory().look(looked::oneLess));
  }

  private static boolean isWorthALook(ServerMemory memory, long itemBytes, boolean shrinking) {
    return memory.isForgotten() || memory.isWorthALook() && !memory.admits(itemBytes, shrinking);
  }

  private static Runnable spend(Map<ServerLink, Long> needs) {
    needs.forEach((link, bytes) -> link.memory().spend(bytes));
    return () -> needs.forEach((link, bytes) -> link.memory().landed(bytes));
  }

  /** The item that each server is to get: the record, and parity, if the stripe is a new one. */
  private Map<ServerLink, Long> needs(NewRecord record, Place place, int replacedBytes) {
    int stripe = place.stripe();
    boolean isNew =
        shard.stripes().state(stripe) == StripeState.OPEN && shard.stripes().live(stripe) == 0;
    Map<ServerLink, Long> needs = new HashMap<>();
    if (isNew) {
      for (ServerLink link : shard.placement().parityServers(stripe)) {
        needs.put(link, parityBytes(stripe));
      }
    }
    ServerLink server = shard.placement().dataServer(KeyHash.of(record.key().bytes()));
    long bytes = itemBytes(record.key(), record.recordBytes());
    boolean isThere =
        replacedBytes > 0 && server.memory().isAlike(bytes, itemBytes(record.key(), replacedBytes));
    if (!isThere) {
      needs.put(server, bytes);
    }
    needs.keySet().removeIf(link -> !link.isUsable());
    return needs;
  }

  private static long itemBytes(Key key, int recordBytes) {
    return SlabSizes.itemBytes(key.lengthBytes(), Items.itemLength(recordBytes));
  }

  /** Parity items that the server will get when stripes that are open now are sealed. */
  Map<Long, Integer> owedItems(ServerLink link) {
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
