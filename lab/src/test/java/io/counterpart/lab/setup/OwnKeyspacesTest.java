package io.counterpart.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Only a run's own keyspaces are ever dropped. */
class OwnKeyspacesTest {
  private final List<String> statements = new ArrayList<>();
  private final Map<String, RuntimeException> failures = new HashMap<>();
  private final Node quick = node(1);
  private final Node slow = node(1);
  private final Map<UUID, Node> nodes =
      Map.of(UUID.randomUUID(), quick, UUID.randomUUID(), slow, UUID.randomUUID(), node(0));
  private final List<Node> asked = new ArrayList<>();
  private final List<Node> askedBeforeTable = new ArrayList<>();

  /** How often the slow node has yet to answer with the schema of before. */
  private int slowAnswers;

  private int slowAnswersAfterTable;
  private final OwnKeyspaces keyspaces = new OwnKeyspaces(session());

  @Test
  void drops_what_it_has_made_and_has_not_dropped_yet() {
    create("a");
    create("b");
    keyspaces.drop("a");

    assertThat(keyspaces.dropAll()).isEmpty();
    assertThat(keyspaces.dropAll()).isEmpty();
    assertThat(drops()).containsExactly("DROP KEYSPACE IF EXISTS a", "DROP KEYSPACE IF EXISTS b");
  }

  @Test
  void leaves_a_keyspace_that_was_there_before() {
    failures.put(
        "CREATE KEYSPACE theirs", new AlreadyExistsException(proxy(Node.class), "theirs", ""));

    assertThatThrownBy(() -> create("theirs")).isInstanceOf(AlreadyExistsException.class);
    keyspaces.drop("theirs");
    keyspaces.drop("never heard of");

    assertThat(keyspaces.dropAll()).isEmpty();
    assertThat(drops()).isEmpty();
  }

  @Test
  void drops_what_may_have_been_made_although_nobody_answered() {
    failures.put("CREATE KEYSPACE a", new DriverTimeoutException("late"));

    assertThatThrownBy(() -> create("a")).isInstanceOf(DriverTimeoutException.class);

    keyspaces.dropAll();
    assertThat(drops()).containsExactly("DROP KEYSPACE IF EXISTS a");
  }

  @Test
  void tells_what_it_could_not_drop_and_goes_on_with_the_rest() {
    create("a");
    create("b");
    failures.put("DROP KEYSPACE IF EXISTS a", new DriverTimeoutException("nobody there"));

    assertThat(keyspaces.dropAll()).containsExactly(Map.entry("a", "nobody there"));
    assertThat(drops()).containsExactly("DROP KEYSPACE IF EXISTS b");
  }

  @Test
  void a_table_is_made_when_every_node_that_the_session_uses_knows_its_keyspace() {
    slowAnswers = 3;

    create("a");

    assertThat(askedBeforeTable).containsOnly(quick, slow);
    assertThat(Collections.frequency(askedBeforeTable, slow)).isEqualTo(4);
  }

  /** A client that prepares a statement on a node without the table is told that there is none. */
  @Test
  void a_table_is_there_when_every_node_that_the_session_uses_knows_it() {
    slowAnswersAfterTable = 3;

    create("a");

    List<Node> afterTable = asked.subList(askedBeforeTable.size(), asked.size());
    assertThat(afterTable).containsOnly(quick, slow);
    assertThat(Collections.frequency(afterTable, slow)).isEqualTo(4);
  }

  @Test
  void makes_nothing_once_the_end_has_begun() {
    keyspaces.dropAll();

    assertThatThrownBy(() -> create("late")).isInstanceOf(CancellationException.class);
    assertThat(statements).isEmpty();
  }

  private void create(String keyspace) {
    keyspaces.create(keyspace, "CREATE KEYSPACE " + keyspace, "CREATE TABLE " + keyspace + ".t");
  }

  private List<String> drops() {
    return statements.stream().filter(statement -> statement.startsWith("DROP")).toList();
  }

  private CqlSession session() {
    return (CqlSession)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (self, method, arguments) -> {
              if (method.getName().equals("getMetadata")) {
                return proxy(Metadata.class, (call, given) -> nodes);
              }
              if (!method.getName().equals("execute")) {
                throw new UnsupportedOperationException(method.getName());
              }
              SimpleStatement given = (SimpleStatement) arguments[0];
              String statement = given.getQuery();
              if (statement.startsWith("SELECT")) {
                asked.add(given.getNode());
                boolean isLate = given.getNode() == slow && slowAnswers-- > 0;
                slowAnswers = Math.max(0, slowAnswers);
                UUID version = new UUID(0, isLate ? 0 : 1);
                Row row = proxy(Row.class, (call, no) -> version);
                return proxy(ResultSet.class, (call, no) -> row);
              }
              RuntimeException failure = failures.get(statement);
              if (failure != null) {
                throw failure;
              }
              statements.add(statement);
              if (statement.startsWith("CREATE TABLE")) {
                askedBeforeTable.addAll(asked);
                slowAnswers = slowAnswersAfterTable;
              }
              return null;
            });
  }

  private static Node node(int connections) {
    return proxy(
        Node.class,
        (call, arguments) ->
            switch (call) {
              case "getOpenConnections" -> connections;
              case "hashCode" -> connections;
              default -> null;
            });
  }

  private static <T> T proxy(Class<T> type) {
    return proxy(type, (call, arguments) -> null);
  }

  private static <T> T proxy(Class<T> type, BiFunction<String, Object[], Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> self == arguments[0];
                  case "toString" -> type.getSimpleName();
                  default -> answer.apply(method.getName(), arguments);
                }));
  }
}
