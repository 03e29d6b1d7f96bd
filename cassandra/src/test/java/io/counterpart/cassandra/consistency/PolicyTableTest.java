package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.policy.PolicyTable;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The table of policies in the moment in which an operator creates it. */
class PolicyTableTest {
  @BeforeAll
  static void prepare() {
    OfflineStatements.start();
    OfflineStatements.keyspace(PolicyTable.KEYSPACE);
    OfflineStatements.table(
        PolicyTable.KEYSPACE,
        PolicyTable.TABLE,
        "keyspace_name text, table_name text, mode text, PRIMARY KEY (keyspace_name, table_name)");
  }

  @Test
  void a_table_that_the_node_has_not_opened_yet_counts_as_none() {
    Policies policies = new Policies(ConsistencyPolicy.DEFAULT);

    new PolicyTable(policies).refresh();

    assertThat(policies.of("ks", "t")).isEqualTo(ConsistencyPolicy.DEFAULT);
    assertThat(policies.refused()).isEmpty();
  }
}
