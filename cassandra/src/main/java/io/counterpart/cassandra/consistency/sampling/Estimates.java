package io.counterpart.cassandra.consistency.sampling;

import io.counterpart.core.staleness.estimate.ErrorBudget;
import io.counterpart.core.staleness.estimate.FixedGap;
import io.counterpart.core.staleness.estimate.Gaps;
import io.counterpart.core.staleness.estimate.ObservedGaps;
import io.counterpart.core.staleness.estimate.SampledWrites.GapDraw;
import io.counterpart.core.staleness.estimate.SetEstimate;
import io.counterpart.core.staleness.estimate.WriteSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * The estimates of this coordinator, one for each table and replica set. Memory is bounded: at most
 * {@value #MOST_SETS} sets; writes of others are counted and left out, and their reads keep their
 * clients' levels. At {@value #MOST_SAMPLES} samples, which a second's writes may exceed, the sets
 * with the most have an equal share of what the others leave. The newest writes are never left out:
 * they alone tell that a replica hangs.
 *
 * <p>Thread-safe; {@link #evaluate} is for one thread.
 */
public final class Estimates {
  public static final int MOST_SETS = 128;
  public static final int MOST_SAMPLES = 131_072;
  private static final int MOST_TABLES = 256;

  private final ConcurrentMap<SetKey, SetEstimate> sets = new ConcurrentHashMap<>();
  private final ConcurrentMap<TableId, ObservedGaps> gaps = new ConcurrentHashMap<>();
  private final LongAdder leftOut = new LongAdder();
  private final ErrorBudget budget;
  private final LongSupplier nanoClock;
  private final SplittableRandom random;

  /** Samples that each set may have, where there is no room for all; 0 where there is. */
  private volatile int share;

  public Estimates(ErrorBudget budget, LongSupplier nanoClock, SplittableRandom random) {
    this.budget = budget;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  /** A write that has returned to its client. */
  public void add(SetKey key, WriteSample write) {
    SetEstimate estimate = sets.get(key);
    if (estimate == null && sets.size() < MOST_SETS) {
      estimate =
          sets.computeIfAbsent(
              key, set -> new SetEstimate(set.replicas().size(), budget, nanoClock.getAsLong()));
    }
    int within = share;
    if (estimate == null) {
      leftOut.increment();
    } else if (within > 0) {
      estimate.addWithin(within, write);
    } else {
      estimate.add(write);
    }
  }

  public Optional<SetEstimate> find(SetKey key) {
    return Optional.ofNullable(sets.get(key));
  }

  /** A read that follows a write of its partition. */
  public void addGap(TableId table, long nanos) {
    ObservedGaps observed = gaps.get(table);
    if (observed == null && gaps.size() < MOST_TABLES) {
      observed = gaps.computeIfAbsent(table, unused -> new ObservedGaps());
    }
    if (observed != null) {
      observed.add(nanos);
    }
  }

  /**
   * Computes all bounds anew and forgets sets without samples.
   *
   * @param window configured time from a write to a read, in ms
   */
  public void evaluate(Predicate<TableId> exists, Function<TableId, OptionalLong> window) {
    long now = nanoClock.getAsLong();
    List<Integer> sizes = new ArrayList<>();
    gaps.keySet().removeIf(exists.negate());
    for (Map.Entry<SetKey, SetEstimate> entry : sets.entrySet()) {
      TableId table = entry.getKey().table();
      int size = entry.getValue().writes().size(now);
      if (size == 0 && entry.getValue().newestSampleMillis(now) > 60_000 || !exists.test(table)) {
        sets.remove(entry.getKey());
        continue;
      }
      sizes.add(size);
      entry.getValue().evaluate(new GapDraw(gapsOf(table, window.apply(table)), random), now);
    }
    share = share(sizes);
  }

  /** An equal share of all would leave a busy set among idle ones with less than a second. */
  private static int share(List<Integer> sizes) {
    int left = MOST_SAMPLES;
    int sets = sizes.size();
    for (int size : sizes.stream().sorted().toList()) {
      if (size >= left / sets) {
        return left / sets;
      }
      left -= size;
      sets--;
    }
    return 0;
  }

  private Gaps gapsOf(TableId table, OptionalLong windowMillis) {
    return windowMillis.isPresent()
        ? new FixedGap(windowMillis.getAsLong() * 1_000_000)
        : gaps.getOrDefault(table, new ObservedGaps());
  }

  /** All, for operators. */
  public Map<SetKey, SetEstimate> all() {
    return Map.copyOf(sets);
  }

  /** A write that did not fit elsewhere. */
  void leaveOut() {
    leftOut.increment();
  }

  /** Replicas that owe acknowledgements, of any set. */
  public Set<InetAddressAndPort> suspects() {
    Set<InetAddressAndPort> suspects = new HashSet<>();
    sets.forEach(
        (key, estimate) -> {
          int owing = estimate.suspects();
          for (int i = 0; i < key.replicas().size(); i++) {
            if ((owing >> i & 1) == 1) {
              suspects.add(key.replicas().get(i));
            }
          }
        });
    return suspects;
  }

  /** Writes that did not fit. */
  public long leftOut() {
    return leftOut.sum();
  }
}
