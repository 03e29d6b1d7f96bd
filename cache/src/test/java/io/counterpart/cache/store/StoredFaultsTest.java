package io.counterpart.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Acknowledged values survive faults of the store, of memory and of the proxy, checked against
 * models.
 */
@ExtendWith(SeededRandom.class)
@Timeout(120)
class StoredFaultsTest {
  private static final int STEPS = 60_000;

  @Test
  void nothing_acknowledged_is_lost_and_nothing_read_is_undone(Random random) {
    try (StoreScenario scenario = new StoreScenario(random, false)) {
      assertThat(scenario.problems(STEPS)).isEmpty();
      assertThat(scenario.acknowledgedWrites()).isGreaterThan(500);
      assertThat(scenario.checkedReads()).isGreaterThan(1000);
    }
  }

  @Test
  void nor_by_a_proxy_that_dies_at_any_moment(Random random) {
    try (StoreScenario scenario = new StoreScenario(random, true)) {
      assertThat(scenario.problems(STEPS)).isEmpty();
      assertThat(scenario.acknowledgedWrites()).isGreaterThan(500);
      assertThat(scenario.deaths()).isGreaterThan(20);
    }
  }

  @Test
  void a_store_that_forgets_is_noticed_by_the_checker(Random random) {
    try (StoreScenario scenario = new StoreScenario(random, false)) {
      scenario.store.forgetsWhen(() -> random.nextInt(20) == 0);

      assertThat(scenario.problems(STEPS)).isNotEmpty();
    }
  }
}
