package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.counterpart.lab.setup.SchemaAgreement;
import io.counterpart.lab.workload.LabSession;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/** A node that has stored a change of the schema, and does not use it yet. */
@OnSecondCluster(Shape.THREE_NODES)
class SchemaAgreementIT {
  private static final String KEYSPACE = "schema_agreement";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void a_change_is_not_agreed_on_before_the_last_node_uses_it(TestCluster cluster)
      throws Exception {
    cluster.createKeyspace(KEYSPACE, "{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    try (CqlSession session = LabSession.open(cluster.live())) {
      Collection<Node> nodes = session.getMetadata().getNodes().values();
      assertThat(nodes).hasSize(3);
      Node last = Sessions.connected(session, cluster.node(3));
      try (Breakpoint point =
          Breakpoint.ofThread(
              cluster.node(3), "org.apache.cassandra.schema.Schema", "mergeAndUpdateVersion")) {
        session.executeAsync(
            at(
                Sessions.connected(session, cluster.node(1)),
                "CREATE TABLE " + KEYSPACE + ".t (pk int PRIMARY KEY)"));
        point.awaitStop(LIMIT);
        assertThat(
                session
                    .execute(
                        at(
                            last,
                            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '%s'"
                                .formatted(KEYSPACE)))
                    .one())
            .as("in its tables")
            .isNotNull();
        assertThatThrownBy(() -> session.execute(at(last, select())))
            .isInstanceOf(InvalidQueryException.class);

        assertThat(SchemaAgreement.isReached(session, nodes)).isFalse();
      }
      await().atMost(LIMIT).until(() -> SchemaAgreement.isReached(session, nodes));

      assertThat(session.execute(at(last, select()))).isEmpty();
    }
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static String select() {
    return "SELECT pk FROM " + KEYSPACE + ".t";
  }

  private static SimpleStatement at(Node node, String cql) {
    return SimpleStatement.newInstance(cql).setNode(node);
  }
}
