package io.counterpart.core.staleness.estimate;

import io.counterpart.core.staleness.estimate.SampledWrites.GapDraw;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The estimate of one table on one replica set: samples, and the bounds that decisions use. Bounds
 * are computed in the background for a few ages of writes that a client may tolerate to miss; a
 * read takes the one of the largest age that is not above its own, which is the safe side.
 *
 * <p>Thread-safe; {@link #evaluate} is for one thread.
 */
public final class SetEstimate {
  /** Ages that may be missed, in ms. */
  static final List<Long> AGES_MILLIS = List.of(0L, 1L, 10L, 100L, 1_000L);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SampledWrites writes;
  private final List<Looks> looks;
  private volatile Published published;
  private volatile long newestNanos;

  /** Without samples. */
  public SetEstimate(int replicas, ErrorBudget budget, long nowNanos) {
    writes = new SampledWrites(replicas);
    looks = AGES_MILLIS.stream().map(age -> new Looks(budget, nowNanos)).toList();
    newestNanos = nowNanos;
    published = new Published(List.of(), 0, nowNanos);
  }

  /** Remembers a write that has returned to its client. */
  public void add(WriteSample write) {
    writes.add(write);
    newestNanos = write.returnedNanos();
  }

  /** The same where all sets together have no room: see {@link SampledWrites#addWithin}. */
  public void addWithin(int share, WriteSample write) {
    writes.addWithin(share, write);
    newestNanos = write.returnedNanos();
  }

  /** The samples, for predictions. */
  public SampledWrites writes() {
    return writes;
  }

  /** Computes bounds anew from the samples of the last 30 s. */
  public void evaluate(GapDraw draw, long nowNanos) {
    List<Optional<StaleBounds>> bounds = new ArrayList<>();
    for (int i = 0; i < looks.size(); i++) {
      Looks look = looks.get(i);
      long age = AGES_MILLIS.get(i) * NANOS_PER_MILLI;
      bounds.add(look.publish(writes.bounds(draw, age, look.delta(), nowNanos), nowNanos));
    }
    published = new Published(bounds, writes.suspects(nowNanos), nowNanos);
  }

  /**
   * Bounds for a client that tolerates to miss writes up to an age; empty before the first look.
   */
  public Optional<StaleBounds> bounds(long toleratedMillis) {
    List<Optional<StaleBounds>> byAge = published.byAge;
    Optional<StaleBounds> found = Optional.empty();
    for (int i = 0; i < byAge.size() && AGES_MILLIS.get(i) <= toleratedMillis; i++) {
      found = byAge.get(i);
    }
    return found;
  }

  /** Replicas that owe acknowledgements, bit i for replica i. */
  public int suspects() {
    return published.suspects;
  }

  /**
   * The age of the newest sample that the bounds may know, or of this estimate if it has none:
   * should evaluation stop, new samples do not make its bounds younger.
   */
  public long newestSampleMillis(long nowNanos) {
    long known = newestNanos - published.atNanos < 0 ? newestNanos : published.atNanos;
    return Math.max(0, nowNanos - known) / NANOS_PER_MILLI;
  }

  private record Published(List<Optional<StaleBounds>> byAge, int suspects, long atNanos) {}
}
