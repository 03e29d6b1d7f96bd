package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StorePlace;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ServerReadersTest {
  private final ServerReaders readers = new ServerReaders();

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
  }

  private ReaderPermits permits(String location, boolean isOnServer) {
    Engine engine = new Engine(location, isOnServer);
    readers.limit(engine);
    return engine.given;
  }

  @Test
  void configurations_on_a_server_share_its_permits() {
    ReaderPermits first = permits("redis://a:1", true);

    assertThat(permits("redis://a:1", true)).isSameAs(first);
    assertThat(permits("redis://b:1", true)).isNotSameAs(first);
  }

  @Test
  void an_engine_without_a_server_has_none() {
    assertThat(permits("", false)).isNull();
  }

  @Test
  void half_of_the_node_s_reads_may_wait_for_a_server() {
    int half = DatabaseDescriptor.getConcurrentReaders() / 2;
    ReaderPermits permits = permits("redis://a:1", true);

    assertThat(within(permits, half, () -> "read")).isEqualTo("read");
    assertThatThrownBy(() -> within(permits, half + 1, () -> "read"))
        .isInstanceOf(StoreBusyException.class)
        .hasMessageContainingAll("redis://a:1", half + " reads");
  }

  /** With so many permits taken. */
  private static String within(ReaderPermits permits, int taken, Supplier<String> call) {
    return taken == 0 ? call.get() : permits.reading(() -> within(permits, taken - 1, call));
  }

  private static final class Engine implements KvEngine {
    private final String location;
    private final boolean isOnServer;
    private @Nullable ReaderPermits given;

    Engine(String location, boolean isOnServer) {
      this.location = location;
      this.isOnServer = isOnServer;
    }

    @Override
    public String location() {
      return location;
    }

    @Override
    public boolean isOnServer() {
      return isOnServer;
    }

    @Override
    public void limitReaders(ReaderPermits permits) {
      given = permits;
    }

    @Override
    public KvStore open(StorePlace place) {
      throw new UnsupportedOperationException();
    }
  }
}
