package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.Shard;
import java.util.List;

/**
 * Removes objects that already have another place from a stripe: frees their slots and updates the
 * parity once for all of them. Belongs to the shard's event loop.
 */
final class Leaving {
  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;

  Leaving(ShardServices services) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.statistics = services.statistics();
  }

  /** Begins for objects of a sealed stripe; their keys must not change until it is done. */
  void begin(int stripe, List<Moved> leaving, Runnable done) {
    shard
        .gates()
        .enterAlone(
            stripe,
            () ->
                folding.foldAlone(
                    stripe,
                    () -> {
                      free(stripe, leaving);
                      folding.foldAlone(
                          stripe, statistics.scalingParity(), () -> end(stripe, done));
                    }));
  }

  /** Frees the slots, and has parity lose the records; nobody gets the slots until it has. */
  private void free(int stripe, List<Moved> leaving) {
    List<Moved> there =
        leaving.stream().filter(moved -> shard.hasObject(moved.place(), moved.key())).toList();
    shard.freeSlots().withhold(stripe);
    shard
        .metadata()
        .together(() -> there.forEach(moved -> shard.free(moved.place(), moved.hash())));
    there.forEach(moved -> shard.pending().add(moved.place(), moved.record(), List.of()));
  }

  private void end(int stripe, Runnable done) {
    // otherwise more is lost than the code tolerates, and deltas stay pending
    if (shard.pending().of(stripe) == null) {
      shard.freeIfEmpty(stripe);
      shard.freeSlots().release(stripe);
      shard.sparse().note(stripe);
    }
    shard.gates().leave(stripe);
    done.run();
  }
}
