package io.counterpart.cache.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Illegal options are refused before anything is touched, with the legal values. */
class CassandraOptionsTest {
  private static final List<InetSocketAddress> NODES =
      List.of(new InetSocketAddress("127.0.0.1", 9042));

  private static CassandraOptions options(
      String keyspace,
      Integer copies,
      DefaultConsistencyLevel read,
      DefaultConsistencyLevel write,
      Duration timeout) {
    return new CassandraOptions(
        NODES, null, keyspace, copies, "objects", read, write, timeout, null);
  }

  private static void refuses(
      String keyspace,
      Integer copies,
      DefaultConsistencyLevel read,
      DefaultConsistencyLevel write,
      Duration timeout,
      String message) {
    assertThatThrownBy(() -> options(keyspace, copies, read, write, timeout))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void defaults_are_legal() {
    CassandraOptions options = CassandraOptions.of(NODES);

    assertThat(options.keyspace()).isEqualTo("counterpart_cache");
    assertThat(options.readLevel()).isEqualTo(DefaultConsistencyLevel.LOCAL_QUORUM);
    assertThat(options.writeLevel()).isEqualTo(DefaultConsistencyLevel.LOCAL_QUORUM);
  }

  @Test
  void what_is_out_of_range_is_refused_with_what_is_legal() {
    DefaultConsistencyLevel one = DefaultConsistencyLevel.ONE;
    DefaultConsistencyLevel any = DefaultConsistencyLevel.ANY;
    DefaultConsistencyLevel each = DefaultConsistencyLevel.EACH_QUORUM;
    Duration second = Duration.ofSeconds(1);
    options("ks", null, one, each, second);

    refuses("Ks", 1, one, one, second, "keyspace 'Ks', legal: 1 to 48 characters a-z, 0-9 and _");
    refuses("ks", 0, one, one, second, "replication factor 0, legal: 1 to 100");
    refuses("ks", 1, each, one, second, "read consistency level EACH_QUORUM, legal: [ONE, TWO");
    refuses("ks", 1, one, any, second, "write consistency level ANY, legal: [ONE, TWO");
    refuses(
        "ks",
        1,
        one,
        one,
        Duration.ofMillis(1),
        "timeout of the persistent store: 1 ms, legal: 50 to 60000 ms");
    assertThatThrownBy(() -> CassandraOptions.of(List.of()))
        .hasMessage("no contact point, legal: 1 or more");
  }

  @Test
  void passwords_are_not_printed() {
    assertThat(new CassandraLogin("user", "secret")).hasToString("user (password hidden)");
    assertThatThrownBy(() -> new CassandraLogin(" ", "secret"))
        .hasMessage("the user's name is blank, legal: a name");
  }
}
