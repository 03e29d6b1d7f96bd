package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;
import java.util.List;

/**
 * Removes objects that already have another place from a stripe: frees their slots and updates the
 * parity once for all of them. A record in the metadata log precedes the update, so that a restart
 * after a crash knows which parity items still hold these objects. Belongs to the shard's event
 * loop.
 */
public final class Leaving {
  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;

  /**
   * An object and the place that it leaves.
   *
   * @param record what the slot holds
   */
  public record Left(Place place, Key key, long hash, byte[] record) {}

  public Leaving(ShardServices services) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.statistics = services.statistics();
  }

  /** Begins for objects of a sealed stripe; their keys must not change until it is done. */
  public void begin(int stripe, List<Left> leaving, Runnable done) {
    shard
        .gates()
        .enterAlone(
            stripe,
            () ->
                // journal entries must be in parity first: later they would count as folded
                folding.foldAlone(
                    stripe,
                    () -> {
                      List<Left> there =
                          leaving.stream()
                              .filter(left -> shard.hasObject(left.place(), left.key()))
                              .toList();
                      long sequence = shard.sequences().next();
                      note(there, sequence);
                      // of later writes, those of other stripes, a restart shall not think that
                      // parity items which a crash has kept from this fold lack them
                      folding.foldAlone(
                          stripe,
                          () -> sequence,
                          statistics.scalingParity(),
                          () -> end(stripe, there, done));
                    }));
  }

  private void note(List<Left> leaving, long sequence) {
    shard
        .metadata()
        .together(
            () -> {
              for (Left left : leaving) {
                shard.freeSlots().hold(left.place());
                shard.metadata().leave(left.place(), sequence, left.key().bytes());
                shard.metadata().free(left.place());
              }
            });
    for (Left left : leaving) {
      Place place = left.place();
      shard.objects().remove(left.hash(), place.stripe(), place.slot());
      shard.pending().add(place, left.record(), List.of());
    }
  }

  private void end(int stripe, List<Left> leaving, Runnable done) {
    // otherwise more is lost than the code tolerates, and deltas stay pending
    if (shard.pending().of(stripe) == null) {
      shard.metadata().folded(stripe);
      leaving.forEach(left -> shard.freeSlots().give(left.place()));
      shard.freeIfEmpty(stripe);
      shard.sparse().note(stripe);
    }
    shard.gates().leave(stripe);
    done.run();
  }
}
