package io.counterpart.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.layout.ClusterSpec;
import io.counterpart.cluster.layout.NodeLayout;
import io.counterpart.cluster.layout.Ports;
import io.counterpart.process.ProcessIdentity;
import io.counterpart.process.TcpPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers, as the nodes of a cluster have them. */
class RedisServerTest {
  @TempDir Path home;
  private ClusterSpec spec;
  private NodeLayout node;
  private NodeServers servers;

  @BeforeEach
  void layOut() throws IOException {
    boolean found = new RedisServer().missing().isEmpty();
    if (!found) {
      System.err.println("SKIPPED: no redis-server is installed (apt-get install redis-server)");
    }
    Assumptions.assumeTrue(found, "no redis-server is installed");
    // it has a port behind that of CQL, and no other one is known to be free
    int redis = ServerKind.ALL.indexOf(ServerKind.of("redis").orElseThrow());
    Ports ports = new Ports(TcpPort.anyFree("127.0.0.1") - 1 - redis, 17_000, 17_199);
    spec =
        ClusterSpec.builder(home.resolve("with a blank"))
            .nodes(1)
            .serverLib(home)
            .ports(ports)
            .engines(List.of("lmdb", "redis"))
            .build();
    node = NodeLayout.of(spec).get(0);
    servers = NodeServers.fresh(spec, node);
  }

  @AfterEach
  void stop() {
    if (servers != null) {
      servers.kill();
    }
  }

  private ServerPlace place() {
    return NodeServers.places(spec, node).values().iterator().next();
  }

  @Test
  void a_server_is_started_once_and_found_again_also_if_nobody_recorded_it() throws Exception {
    servers.start();
    Map<String, ProcessIdentity> first = servers.processes();
    servers.start();

    assertThat(servers.processes()).isEqualTo(first).containsOnlyKeys("redis");
    assertThat(NodeServers.of(spec, node, first).processes()).isEqualTo(first);
    assertThat(NodeServers.of(spec, node, Map.of()).processes()).isEqualTo(first);
    servers.stop();
    assertThat(first.get("redis").isAlive()).isFalse();
    assertThat(NodeServers.of(spec, node, first).processes()).isEmpty();
  }

  @Test
  void who_looks_at_the_configuration_is_not_taken_for_the_server() throws Exception {
    servers.start();
    servers.stop();
    String configuration = place().directory().resolve("redis.conf").toString();
    Process reader = new ProcessBuilder("tail", "-f", configuration).start();
    try {
      NodeServers found = NodeServers.of(spec, node, Map.of());
      assertThat(found.processes()).isEmpty();

      found.stop();

      assertThat(reader.isAlive()).isTrue();
    } finally {
      reader.destroyForcibly();
    }
  }

  @Test
  void the_engine_is_told_where_its_server_is_and_a_file_with_the_password() throws Exception {
    servers.start();

    Map<String, Map<String, String>> parameters = NodeServers.parameters(spec, node);

    assertThat(parameters.get("lmdb")).isEmpty();
    assertThat(parameters.get("redis")).containsEntry("url", "redis://" + place());
    Path password = Path.of(parameters.get("redis").get("password_file"));
    assertThat(Files.readString(password).strip()).hasSize(32);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_password_that_was_cut_off_is_made_anew() throws Exception {
    Files.createDirectories(place().directory());
    Path password = Files.createFile(place().directory().resolve("password"));

    servers.start();

    assertThat(Files.readString(password).strip()).hasSize(32);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_kill_leaves_the_data_and_a_wipe_does_not() throws Exception {
    servers.start();
    servers.kill();
    assertThat(place().directory().resolve("data/appendonlydir")).isDirectory();
    servers.start();

    servers.wipe();

    assertThat(place().directory()).doesNotExist();
  }

  @Test
  void a_port_that_is_taken_fails_the_start_with_the_servers_words() throws Exception {
    try (ServerSocket taken =
        new ServerSocket(place().port(), 1, InetAddress.getByName(place().address()))) {
      assertThat(taken.isBound()).isTrue();

      assertThatThrownBy(() -> servers.start())
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining(place().toString())
          .hasMessageContaining("Address already in use");
    }
  }
}
