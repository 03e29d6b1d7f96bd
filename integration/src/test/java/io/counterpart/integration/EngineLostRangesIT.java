package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.cluster.Node;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Stores of nodes that keep no copies of a keyspace any more. */
@OnCluster(Shape.TWO_DATACENTERS)
class EngineLostRangesIT {
  private static final String KEYSPACE = "engine_lost_ranges";
  private static final String TABLE = KEYSPACE + ".t";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void a_datacenter_without_copies_gives_its_stores_back(TestCluster cluster) {
    cluster.createKeyspace(KEYSPACE, replication(true));
    cluster.execute("CREATE TABLE " + TABLE + " (id int PRIMARY KEY) WITH memtable = 'lmdb'");
    cluster.execute("INSERT INTO " + TABLE + " (id) VALUES (1)");
    cluster.flush(KEYSPACE);
    Node leaving = cluster.node(4);
    assertThat(DataFiles.of(leaving, KEYSPACE, "t")).isEmpty();

    alter(cluster, false);
    await().atMost(LIMIT).until(() -> !DataFiles.of(leaving, KEYSPACE, "t").isEmpty());
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(2))
        // a node refuses a cleanup until it has computed its ranges anew
        .ignoreExceptions()
        .until(
            () -> {
              // the files are there before the flush has ended, and a cleanup by then leaves them
              cluster.cleanup(KEYSPACE);
              return DataFiles.of(leaving, KEYSPACE, "t").isEmpty();
            });
    cluster.execute("DELETE FROM " + TABLE + " WHERE id = 1");
    alter(cluster, true);

    assertThat(cluster.query(leaving, DefaultConsistencyLevel.LOCAL_ONE, "SELECT id FROM " + TABLE))
        .isEmpty();
    cluster.execute("DROP KEYSPACE " + KEYSPACE);
  }

  private static void alter(TestCluster cluster, boolean both) {
    cluster.execute("ALTER KEYSPACE " + KEYSPACE + " WITH replication = " + replication(both));
  }

  private static String replication(boolean both) {
    return "{'class': 'NetworkTopologyStrategy', 'dc1': 1" + (both ? ", 'dc2': 3}" : "}");
  }
}
