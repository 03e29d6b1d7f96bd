package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import io.counterpart.cluster.ContactPoint;
import io.counterpart.cluster.Node;
import io.counterpart.lab.remote.JoinTokens;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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

  /** A keyspace that cannot be planned is nothing to commands that want the ring alone. */
  @Test
  void another_keyspace_may_have_transient_replicas(TestCluster cluster) {
    cluster.createKeyspace("with_transient", "{'class': 'NetworkTopologyStrategy', 'dc1': '3/1'}");
    Node node = cluster.node(1);
    RemoteAccess access =
        new RemoteAccess(
            List.of(new ContactPoint(node.address(), node.cqlPort())),
            null,
            null,
            OptionalInt.empty(),
            null);

    assertThat(RingSurvey.ring(access).tokens()).hasSize(1);
    assertThatThrownBy(() -> JoinTokens.find(access, "dc1", "s1/read", OptionalInt.empty()))
        .hasMessageContaining("no keyspace under HeterogeneousStrategy has copies");
    cluster.execute("DROP KEYSPACE with_transient");
  }
}
