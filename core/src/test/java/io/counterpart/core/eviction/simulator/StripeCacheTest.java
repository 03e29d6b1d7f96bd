package io.counterpart.core.eviction.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Eviction by the stripe answers nearly as many requests as SIEVE on single objects. */
@ExtendWith(SeededRandom.class)
class StripeCacheTest {
  private static final StripeCache.Code CODE = new StripeCache.Code(5, 3);
  private static final double TWO_POINTS = 0.02;
  private static final double TEN_POINTS = 0.10;

  @ParameterizedTest
  @EnumSource
  void hits_are_within_two_points_of_sieve(TracePreset trace) {
    // small values of many sizes: the stripes that are being filled take a share of a small memory
    int objects = trace == TracePreset.TWITTER_45 ? 500_000 : 200_000;
    EvictionSimulation simulation = new EvictionSimulation(CODE, objects, 3 * objects, 7);
    List<EvictionOutcome> outcomes =
        DoubleStream.of(0.05, 0.10, 0.25)
            .parallel()
            .mapToObj(memory -> simulation.run(trace, memory))
            .toList();
    for (EvictionOutcome outcome : outcomes) {
      assertThat(outcome.stripesHitShare())
          .as("%s", outcome)
          .isGreaterThan(outcome.sieveHitShare() - TWO_POINTS);
      // while nothing can move, for a while
      assertThat(outcome.unmovedHitShare())
          .as("%s", outcome)
          .isGreaterThan(outcome.sieveHitShare() - TEN_POINTS);
      // each is a read of a server
      assertThat(outcome.movedPerEvicted()).as("%s", outcome).isLessThan(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memory_is_bounded_and_no_object_is_counted_twice(boolean moves, Random random) {
    int objects = 3_000;
    ObjectSizes sizes = ObjectSizes.paretoOfMean(objects, 500, random.nextLong());
    StripeCache cache = new StripeCache(CODE, sizes, sizes.totalBytes() / 2, moves);
    Set<Integer> seen = new HashSet<>();
    int misses = 0;
    for (int i = 0; i < 50_000; i++) {
      int object = random.nextInt(objects);
      boolean hit = cache.request(object);
      assertThat(!hit || seen.contains(object)).as("%d was never there", object).isTrue();
      assertThat(cache.usedShare()).isBetween(0.0, 1.0);
      seen.add(object);
      misses += hit ? 0 : 1;
    }

    assertThat(cache.objectCount()).isEqualTo(misses - cache.evictedObjects());
    assertThat(cache.evictedObjects()).isPositive();
  }

  @Test
  void bad_values_are_refused_with_the_legal_range() {
    assertThatThrownBy(() -> new StripeCache.Code(3, 3)).hasMessageContaining("legal: 1 ≤ k < n");
    assertThatThrownBy(() -> new EvictionSimulation(CODE, 100, 10, 1))
        .hasMessageContaining("objects is 100, legal: 10000 to 100000000");
    assertThatThrownBy(() -> new EvictionSimulation(CODE, 10_000, 1, 1))
        .hasMessageContaining("requests is 1, legal: 2");
    assertThatThrownBy(() -> new EvictionSimulation(CODE, 10_000, 10, 1).run(TracePreset.ZIPF, 0))
        .hasMessageContaining("memory is 0.0 of the data, legal: above 0 to 1");
  }
}
