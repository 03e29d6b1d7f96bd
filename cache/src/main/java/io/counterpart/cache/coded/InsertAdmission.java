package io.counterpart.cache.coded;

import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.KeyHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the servers have memory for one more object without touching the reserve that
 * updates depend on. An insert is refused before anything is written, because a server that refuses
 * a record has already dropped the previous one. A server's memory is queried again once the shard
 * has sent as many bytes as were free; a full server is queried at most once in 100 ms.
 *
 * <p>Free memory is the pages that no slab class needs plus the journals (they belong to the
 * reserve), minus the reserve and the parity that open stripes will need. Belongs to the shard's
 * event loop.
 */
final class InsertAdmission {
  private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int ITEM_OVERHEAD_BYTES = 96;

  private final Shard shard;
  private final MemoryRelief relief;
  private final Map<ServerLink, Long> owed = new HashMap<>();
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
   * @param shrinking whether it replaces a longer one: half of the reserve is for those
   * @param decided gets what is to be run when the record is written; null if there is no memory
   */
  void ask(NewRecord record, Place place, boolean shrinking, Consumer<@Nullable Runnable> decided) {
    Map<ServerLink, Long> needs = needs(record, place);
    List<ServerLink> unknown =
        needs.keySet().stream()
            .filter(link -> link.memory().credit() <= 0 && link.memory().isWorthALook())
            .toList();
    if (unknown.isEmpty()) {
      boolean enough =
          needs.entrySet().stream()
              .allMatch(need -> hasRoom(need.getKey(), need.getValue(), shrinking));
      decided.accept(enough ? spend(needs) : null);
      return;
    }
    // others may take what is found first: then it is looked up again
    Countdown looked = new Countdown(unknown.size(), () -> ask(record, place, shrinking, decided));
    unknown.forEach(link -> link.memory().look(looked::oneLess));
  }

  private static Runnable spend(Map<ServerLink, Long> needs) {
    needs.forEach((link, bytes) -> link.memory().spend(bytes));
    return () -> needs.forEach((link, bytes) -> link.memory().landed(bytes));
  }

  private static boolean hasRoom(ServerLink link, long bytes, boolean shrinking) {
    ServerMemory memory = link.memory();
    return memory.credit() > 0
        || memory.hasChunk(bytes)
        || shrinking && memory.spareBytes() > -memory.bounds().reserveBytes() / 2;
  }

  /** What the record takes of each server, and parity, if the stripe is a new one. */
  private Map<ServerLink, Long> needs(NewRecord record, Place place) {
    int stripe = place.stripe();
    boolean isNew =
        shard.stripes().state(stripe) == StripeState.OPEN && shard.stripes().live(stripe) == 0;
    Map<ServerLink, Long> needs = new HashMap<>();
    for (ServerLink link : shard.placement().parityServers(stripe)) {
      needs.merge(link, isNew ? parityBytes(stripe) : 0, Long::sum);
    }
    needs.merge(
        shard.placement().dataServer(KeyHash.of(record.key().bytes())),
        (long) record.recordBytes() + ITEM_OVERHEAD_BYTES,
        Long::sum);
    needs.keySet().removeIf(link -> !link.isUsable());
    return needs;
  }

  /** Parity that the server will get when stripes that are open now are sealed. */
  long owedBytes(ServerLink link) {
    if (System.nanoTime() - countedNanos > COUNT_NANOS) {
      countedNanos = System.nanoTime();
      owed.clear();
      for (int stripe : shard.pending().stripes()) {
        if (shard.stripes().state(stripe) == StripeState.OPEN) {
          long bytes = parityBytes(stripe);
          shard
              .placement()
              .parityServers(stripe)
              .forEach(server -> owed.merge(server, bytes, Long::sum));
        }
      }
    }
    return owed.getOrDefault(link, 0L);
  }

  private long parityBytes(int stripe) {
    return ITEM_OVERHEAD_BYTES + (long) shard.slotBytes(stripe) * shard.slotsPerChunk(stripe);
  }
}
