package io.counterpart.core.selection.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.selection.simulator.ReplicaRule.ReadAnswer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the rules that NR is compared with are known for. */
class ComparedRulesTest {
  private static final List<Integer> REPLICAS = List.of(1, 2, 3);
  private static final long MILLI = 1_000_000;

  private long now;

  @Test
  void dynamic_snitch_is_blind_below_a_millisecond() {
    DynamicSnitchRule rule = new DynamicSnitchRule(9, 0.1, new SplittableRandom(1));
    answers(rule, 1, 950_000);
    answers(rule, 2, 300_000);
    answers(rule, 3, 300_000);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(1);

    answers(rule, 1, 1_950_000);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(2);
  }

  @Test
  void dynamic_snitch_asks_the_coordinator_first_unless_its_score_is_worse_by_the_threshold() {
    DynamicSnitchRule rule = new DynamicSnitchRule(3, 1, new SplittableRandom(1));
    answers(rule, 1, 10 * MILLI);
    answers(rule, 2, 11 * MILLI);
    answers(rule, 3, 18 * MILLI);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(3);

    answers(rule, 3, 30 * MILLI);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(1);
  }

  @Test
  void c3_leaves_a_replica_whose_queue_grows() {
    C3Rule rule = new C3Rule(1);
    answers(rule, 1, MILLI);
    answers(rule, 2, 2 * MILLI);
    answers(rule, 3, 3 * MILLI);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(1);

    rule.sent(1, 0);
    rule.sent(1, 0);
    assertThat(rule.choose(REPLICAS, 0)).isEqualTo(2);
  }

  @Test
  void former_primary_first_rule_moves_a_share_of_rows() {
    PrimaryFirstRule rule = new PrimaryFirstRule();
    answers(rule, 1, 60 * MILLI);
    assertThat(rule.choose(REPLICAS, Integer.MAX_VALUE)).isEqualTo(1);
    assertThat(rule.choose(REPLICAS, 0)).isNotEqualTo(1);

    answers(rule, 1, 200 * MILLI);
    assertThat(rule.choose(REPLICAS, Integer.MAX_VALUE)).isNotEqualTo(1);
  }

  @Test
  void sample_prefers_new_values() {
    DecayingSample sample = new DecayingSample(new SplittableRandom(1));
    for (int i = 0; i < 1_000; i++) {
      sample.add(5, 0);
    }
    assertThat(sample.median()).isEqualTo(5);

    // ten seconds newer: e^7.5, 1,800 times as likely
    for (int i = 0; i < 100; i++) {
      sample.add(9, 10_000 * MILLI);
    }
    assertThat(sample.median()).isEqualTo(9);
  }

  private void answers(ReplicaRule rule, int node, long nanos) {
    // half a minute after the ones before, which so weigh nothing in a decaying sample
    now += 30_000 * MILLI;
    for (int i = 0; i < 200; i++) {
      now += MILLI;
      rule.answered(new ReadAnswer(node, true, nanos, 0, nanos / 2), now);
    }
    rule.tick(now);
  }
}
