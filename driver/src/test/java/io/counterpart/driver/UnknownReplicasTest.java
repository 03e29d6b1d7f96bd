package io.counterpart.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators are told when requests cannot be routed. */
class UnknownReplicasTest {
  private final List<String> told = new ArrayList<>();
  private final UnknownReplicas unknown = new UnknownReplicas(told::add);
  private final Session session =
      (Session)
          Proxy.newProxyInstance(
              Session.class.getClassLoader(),
              new Class<?>[] {Session.class},
              (proxy, method, arguments) -> Optional.empty());
  private FakeCluster cluster;

  @BeforeEach
  void makeCluster() {
    cluster = new FakeCluster(FakeCluster.config().build());
    cluster.add("dc1", 0);
    cluster.addKeyspace("ks", Map.of("class", FakeCluster.NETWORK, "dc1", "1"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void a_missing_token_map_is_told_once() {
    cluster.addKeyspace("other", Map.of("class", "org.example.OwnStrategy"));

    report(row("ks"));
    report(row("ks"));

    assertThat(told)
        .singleElement()
        .asString()
        .contains("no token map", "refreshed-keyspaces", "token-map.enabled");
  }

  @Test
  void a_token_map_that_is_switched_off_is_told() {
    cluster.disableTokenMap();

    report(row("ks"));

    assertThat(told).singleElement().asString().contains("token-map.enabled is false");
  }

  @Test
  void an_unknown_keyspace_is_told_with_its_name() {
    report(row("Left_out"));

    assertThat(told)
        .singleElement()
        .asString()
        .contains("keyspace \"Left_out\" is not in", "schema.enabled", "strategy");
  }

  @Test
  void requests_without_replicas_by_nature_are_no_reason_to_tell() {
    cluster.addKeyspace("system_views", true, Map.of());

    report(row("system_views"));
    report(SimpleStatement.newInstance("SELECT * FROM left_out.t"));
    unknown.report(null, null, cluster.metadata());

    assertThat(told).isEmpty();
  }

  private void report(Request request) {
    unknown.report(request, session, cluster.metadata());
  }

  private static Request row(String keyspace) {
    return SimpleStatement.newInstance("SELECT v FROM t WHERE k = ?")
        .setRoutingKeyspace(CqlIdentifier.fromInternal(keyspace))
        .setRoutingKey(ByteBuffer.allocate(4));
  }
}
