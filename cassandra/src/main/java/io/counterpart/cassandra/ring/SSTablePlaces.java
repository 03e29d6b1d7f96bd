package io.counterpart.cassandra.ring;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Places sstables in one state of the ring.
 *
 * @param ring the state
 * @param inMode adapts a place to a mode without a log
 * @param referenced a reference to the present instance of the sstable, or null if it is gone;
 *     released here
 */
public record SSTablePlaces(
    RingSnapshot ring,
    UnaryOperator<Placed> inMode,
    Function<SSTableReader, @Nullable Ref<SSTableReader>> referenced)
    implements PlacingRules<SSTableReader, Placed> {

  @Override
  public @Nullable Placed byBounds(SSTableReader sstable) {
    Placed place = Classifier.byBounds(sstable, ring);
    return place == null ? null : inMode.apply(place);
  }

  @Override
  public @Nullable Placed byContent(SSTableReader sstable) {
    Ref<SSTableReader> reference = referenced.apply(sstable);
    if (reference == null) {
      return null;
    }
    try {
      return inMode.apply(Classifier.place(reference.get(), ring));
    } finally {
      reference.release();
    }
  }
}
