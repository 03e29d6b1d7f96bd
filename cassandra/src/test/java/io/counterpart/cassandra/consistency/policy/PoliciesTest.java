package io.counterpart.cassandra.consistency.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.consistency.policy.Policies.TableName;
import io.counterpart.cassandra.consistency.policy.Policies.Written;
import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoliciesTest {
  private final Policies policies = new Policies(ConsistencyPolicy.DEFAULT);

  @Test
  void nothing_changes_before_the_policies_are_read() {
    assertThat(policies.of("ks", "t").mode()).isEqualTo(AdjustmentMode.OFF);

    policies.replace(List.of(), (keyspace, table) -> true);
    assertThat(policies.of("ks", "t")).isEqualTo(ConsistencyPolicy.DEFAULT);
  }

  @Test
  void a_table_has_its_own_policy_until_it_is_removed() {
    Written own = written("ks", "t", Map.of("mode", "lower", "floor", "ONE", "epsilon", "0.1"));
    policies.replace(List.of(own), (keyspace, table) -> true);

    assertThat(policies.of("ks", "t").mode()).isEqualTo(AdjustmentMode.LOWER);
    assertThat(policies.of("ks", "u")).isEqualTo(ConsistencyPolicy.DEFAULT);

    policies.replace(List.of(), (keyspace, table) -> true);
    assertThat(policies.of("ks", "t")).isEqualTo(ConsistencyPolicy.DEFAULT);
  }

  @Test
  void a_refused_policy_switches_its_table_off_and_says_why() {
    policies.replace(
        List.of(
            written("ks", "t", Map.of("epsilon", "2.0")),
            written("ks", "u", Map.of("no_such_option", "1")),
            written("ks", "gone", Map.of()),
            written("ks", "fine", Map.of("epsilon", "0.5"))),
        (keyspace, table) -> !table.equals("gone"));

    assertThat(policies.of("ks", "t").mode()).isEqualTo(AdjustmentMode.OFF);
    assertThat(policies.of("ks", "u").mode()).isEqualTo(AdjustmentMode.OFF);
    assertThat(policies.of("ks", "fine").epsilon()).isEqualTo(0.5);
    assertThat(policies.refused())
        .containsOnlyKeys(
            new TableName("ks", "gone"), new TableName("ks", "t"), new TableName("ks", "u"));
    assertThat(policies.refused().get(new TableName("ks", "t")))
        .isEqualTo("epsilon is 2.0, legal: above 0 and below 1");
    assertThat(policies.refused().get(new TableName("ks", "u")))
        .startsWith("option is no_such_option, legal: one of");
    assertThat(policies.refused().get(new TableName("ks", "gone")))
        .isEqualTo("table is ks.gone, legal: a table that exists");
  }

  private static Written written(String keyspace, String table, Map<String, String> options) {
    return new Written(new TableName(keyspace, table), options);
  }
}
