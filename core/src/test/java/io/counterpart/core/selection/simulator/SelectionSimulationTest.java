package io.counterpart.core.selection.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.selection.SelectionRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionSimulationTest {
  private static final Scenario.Trouble NONE = new Scenario.Trouble(0, 1, 0, 0);
  private static final long SEED = 3;

  @Test
  void same_seed_gives_the_same_outcome_and_another_one_another() {
    Scenario scenario = scenario(new Scenario.Trouble(1, 10, 5, 200));

    for (RuleKind rule : RuleKind.values()) {
      SelectionOutcome outcome = run(scenario, rule, SEED);
      assertThat(run(scenario, rule, SEED)).isEqualTo(outcome);
      assertThat(run(scenario, rule, SEED + 1)).isNotEqualTo(outcome);
    }
  }

  @Test
  void all_reads_are_answered_while_nothing_goes_wrong() {
    for (RuleKind rule : RuleKind.values()) {
      SelectionOutcome outcome = run(scenario(NONE), rule, SEED);

      assertThat(outcome.reads()).as(rule.label()).isBetween(68_000L, 72_000L);
      assertThat(outcome.latency().readsPerSecond()).isBetween(6_800.0, 7_200.0);
      assertThat(outcome.latency().p50Millis()).isBetween(0.1, 1.0);
    }
  }

  @Test
  void primaries_keep_their_rows_cached_and_steady_load_switches_nothing() {
    SelectionOutcome nearest = run(scenario(NONE), RuleKind.NR, SEED);
    SelectionOutcome random = run(scenario(NONE), RuleKind.RANDOM, SEED);

    assertThat(nearest.hitShare()).isGreaterThan(random.hitShare() + 0.05);
    assertThat(nearest.switchesPerMinute()).isZero();
    assertThat(random.switchesPerMinute()).isGreaterThan(100);
  }

  @Test
  void a_slow_node_loses_its_rows_to_others() {
    Scenario slow = scenario(new Scenario.Trouble(1, 20, 0, 0));
    SelectionOutcome nearest = run(slow, RuleKind.NR, SEED);
    SelectionOutcome random = run(slow, RuleKind.RANDOM, SEED);

    assertThat(nearest.latency().p99Millis()).isLessThan(random.latency().p99Millis() / 2);
    assertThat(nearest.latency().readsPerSecond()).isGreaterThan(random.latency().readsPerSecond());
  }

  @Test
  void few_reads_wait_for_a_node_that_gets_slow_and_its_rows_do_not_oscillate() {
    Scenario slow =
        new Scenario(
            7,
            3,
            7,
            new Scenario.Load(100_000, 0.99, 7_000, 30, Scenario.Clients.ANY),
            new Scenario.NodeModel(200, 5_000, 0, 4, 0.333, 100),
            new Scenario.Trouble(1, 10, 0, 0));
    List<Double> p99 = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      SelectionOutcome nearest = run(slow, RuleKind.NR, seed);
      SelectionOutcome before = run(slow, RuleKind.PRIMARY_FIRST, seed);
      SelectionOutcome dynamic = run(slow, RuleKind.DYNAMIC_SNITCH, seed);

      p99.add(nearest.latency().p99Millis());
      assertThat(nearest.latency().p99Millis()).isLessThan(40);
      assertThat(nearest.latency().p999Millis())
          .isLessThan(before.latency().p999Millis())
          .isLessThan(dynamic.latency().p999Millis());
      assertThat(nearest.switchesPerMinute()).isLessThanOrEqualTo(1);
    }
    Collections.sort(p99);
    assertThat(p99.get(1)).as("median").isLessThan(20);
  }

  @Test
  void a_disk_with_fewer_reads_a_second_loses_rows_though_the_cache_answers_most_of_them() {
    Scenario slow = slowDisk(120, 70, 7);
    SelectionOutcome nearest = run(slow, RuleKind.NR, SEED);
    SelectionOutcome random = run(slow, RuleKind.RANDOM, SEED);

    assertThat(nearest.latency().p99Millis()).isLessThan(10);
    assertThat(random.latency().p99Millis()).isGreaterThan(1_000);
  }

  @Test
  void a_coordinator_sees_that_its_own_reads_are_stuck_before_they_end() {
    Scenario stuck = slowDisk(30, 50, 20);

    assertThat(run(stuck, RuleKind.NR, SEED).latency().p99Millis()).isLessThan(1_000);
  }

  @Test
  void clients_that_know_the_replicas_need_all_nodes_as_coordinators() {
    assertThatThrownBy(
            () ->
                new Scenario(
                    5,
                    3,
                    4,
                    new Scenario.Load(20_000, 0.99, 400, 2, Scenario.Clients.REPLICA),
                    new Scenario.NodeModel(1_000, 1_000, 0, 4, 0.4, 200),
                    NONE))
        .hasMessage("coordinators is 4, legal where clients know the replicas: all nodes, 5");
  }

  @Test
  void a_thousand_nodes_are_simulated() {
    Scenario large =
        new Scenario(
            1_000,
            3,
            16,
            new Scenario.Load(100_000, 0.99, 20_000, 2, Scenario.Clients.ANY),
            new Scenario.NodeModel(200, 5_000, 0, 4, 0.333, 100),
            new Scenario.Trouble(10, 10, 0, 0));

    assertThat(run(large, RuleKind.NR, SEED).reads()).isGreaterThan(30_000);
  }

  @Test
  void values_out_of_range_are_refused_with_the_range() {
    assertThatThrownBy(() -> new Scenario.Load(999, 1, 1, 2, Scenario.Clients.ANY))
        .hasMessage("keys is 999, legal: 1000 to 10000000");
    assertThatThrownBy(() -> new Scenario.NodeModel(1, 0, 0, 1, 1.5, 0))
        .hasMessage("cachedShare is 1.5, legal: 0 to 1");
    assertThatThrownBy(() -> scenario(new Scenario.Trouble(8, 1, 0, 0)))
        .hasMessage("slowNodes is 8, legal: 0 to 7");
    assertThatThrownBy(() -> new Scenario.Trouble(0, Double.NaN, 0, 0))
        .hasMessageContaining("slowFactor is NaN, legal: 1 to 10000");
  }

  private static SelectionOutcome run(Scenario scenario, RuleKind rule, long seed) {
    return new SelectionSimulation(scenario, SelectionRules.DEFAULT, seed).run(rule);
  }

  /** Five nodes, one of which gets fewer reads from its disk; clients send to the primary. */
  private static Scenario slowDisk(int seconds, double diskReadsPerSecond, double slowFactor) {
    return new Scenario(
        5,
        3,
        5,
        new Scenario.Load(20_000, 0.99, 400, seconds, Scenario.Clients.PRIMARY),
        new Scenario.NodeModel(1_000, 1_000, diskReadsPerSecond, 4, 0.4, 200),
        new Scenario.Trouble(1, slowFactor, 0, 0));
  }

  private static Scenario scenario(Scenario.Trouble trouble) {
    return new Scenario(
        7,
        3,
        7,
        new Scenario.Load(20_000, 0.99, 7_000, 10, Scenario.Clients.ANY),
        new Scenario.NodeModel(200, 5_000, 0, 4, 0.333, 100),
        trouble);
  }
}
