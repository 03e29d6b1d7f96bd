package io.counterpart.cache.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CassandraTableTest {
  private static final Node NODE =
      (Node)
          Proxy.newProxyInstance(
              Node.class.getClassLoader(),
              new Class<?>[] {Node.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> "node";
                  });

  private static final ServerError UNKNOWN =
      new ServerError(
          NODE,
          "java.lang.IllegalArgumentException: Unknown CF 9f29d640-ed03-11f1-b60a-b338e8f3ace9");

  @Test
  void a_table_that_a_node_does_not_know_or_has_not_opened_may_appear() {
    assertThat(
            CassandraTable.mayAppear(
                new InvalidQueryException(NODE, "table of_commands does not exist")))
        .isTrue();
    assertThat(CassandraTable.mayAppear(UNKNOWN)).isTrue();
    assertThat(CassandraTable.mayAppear(ofAllNodes(UNKNOWN))).isTrue();
  }

  @Test
  void what_another_attempt_would_not_change_is_told_at_once() {
    assertThat(CassandraTable.mayAppear(new SyntaxError(NODE, "no viable alternative"))).isFalse();
    assertThat(CassandraTable.mayAppear(new DriverTimeoutException("PT2S"))).isFalse();
    assertThat(CassandraTable.mayAppear(ofAllNodes(new DriverTimeoutException("PT2S")))).isFalse();
  }

  private static AllNodesFailedException ofAllNodes(DriverException error) {
    return AllNodesFailedException.fromErrors(List.of(Map.entry(NODE, (Throwable) error)));
  }
}
