package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The refusal of decoupled tables at DDL where replicas may be transient. */
@OnCluster(Shape.TRANSIENT_REPLICATION)
class TransientReplicationIT {

  @Test
  void refuses_a_decoupled_table(TestCluster cluster) {
    cluster.createKeyspace("full_only", "{'class': 'SimpleStrategy', 'replication_factor': 1}");

    assertThatThrownBy(
            () ->
                cluster.execute(
                    "CREATE TABLE full_only.t (id int PRIMARY KEY) WITH compaction = "
                        + TestCluster.decoupled(Map.of())))
        .isInstanceOf(InvalidConfigurationInQueryException.class)
        .hasMessageContaining("transient_replication_enabled is 'true'")
        .hasMessageContaining("legal: false");
  }
}
