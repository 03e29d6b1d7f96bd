package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StorePlace;
import org.junit.jupiter.api.Test;

class AwayServersTest {
  private long nanos;
  private final AwayServers servers = new AwayServers(() -> nanos);
  private final Server server = new Server();

  private String open() {
    return servers.open(
        server,
        () -> {
          server.openings++;
          server.check();
          return "store";
        });
  }

  @Test
  void a_server_that_is_away_is_asked_by_the_background_alone() {
    server.isAway = true;
    assertThatThrownBy(this::open).isInstanceOf(StoreAwayException.class);
    assertThatThrownBy(this::open).isInstanceOf(StoreAwayException.class);
    assertThat(server.openings).isEqualTo(1);

    servers.ask();
    server.isAway = false;
    assertThatThrownBy(this::open).as("before its time").isInstanceOf(StoreAwayException.class);
    nanos += AwayServers.REST.toNanos();
    servers.ask();

    assertThat(open()).isEqualTo("store");
  }

  @Test
  void other_engines_go_on() {
    server.isAway = true;
    assertThatThrownBy(this::open).isInstanceOf(StoreAwayException.class);

    assertThat(servers.open(null, () -> "lsm")).isEqualTo("lsm");
    assertThat(servers.open(place -> null, () -> "embedded")).isEqualTo("embedded");
  }

  private static final class Server implements KvEngine {
    private boolean isAway;
    private int openings;

    @Override
    public String location() {
      return "server of a test";
    }

    @Override
    public boolean isOnServer() {
      return true;
    }

    @Override
    public void check() {
      if (isAway) {
        throw new StoreAwayException("away");
      }
    }

    @Override
    public KvStore open(StorePlace place) {
      throw new UnsupportedOperationException();
    }
  }
}
