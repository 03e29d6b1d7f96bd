package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartupLogTest {

  @TempDir Path directory;
  NodeLayout node;

  @BeforeEach
  void layout() throws IOException {
    node = new NodeLayout(1, "127.0.0.1", Ports.DEFAULT, directory, Location.DEFAULT, List.of());
    Files.createDirectories(node.logs());
  }

  @Test
  void the_error_and_its_exceptions_are_the_cause() throws IOException {
    Files.writeString(
        node.systemLog(),
        """
        INFO  [main] 2026-01-01 10:00:00,000 X.java:1 - fine
        ERROR [main] 2026-01-01 10:00:01,000 CassandraDaemon.java:900 - Exception encountered during startup
        java.lang.RuntimeException: Unable to gossip with any peers
        \tat org.apache.cassandra.gms.Gossiper.doShadowRound(Gossiper.java:2110)
        Caused by: java.io.IOException: no route
        INFO  [hook] 2026-01-01 10:00:02,000 X.java:1 - java.lang.Exception: not this
        """);

    assertThat(StartupLog.cause(node))
        .isEqualTo(
            "Exception encountered during startup; java.lang.RuntimeException: Unable to gossip"
                + " with any peers; Caused by: java.io.IOException: no route");
  }

  @Test
  void without_a_log_the_console_tells() throws IOException {
    Files.writeString(
        node.console(),
        """
        Unrecognized VM option 'Nope'
        Error: Could not create the Java Virtual Machine.
        """);

    assertThat(StartupLog.cause(node)).contains("Unrecognized VM option 'Nope'");
  }

  @Test
  void a_node_has_been_in_the_ring_once_it_says_so_of_itself() throws IOException {
    String line =
        "INFO  [main] 2026-01-01 10:00:00,000 X.java:1 - Node /%s:7100 state jump to NORMAL";
    Files.writeString(node.systemLog(), line.formatted("127.0.0.10") + "\n");
    assertThat(StartupLog.hasBeenInRing(node)).isFalse();

    Files.writeString(node.systemLog(), line.formatted("127.0.0.1") + "\n");
    assertThat(StartupLog.hasBeenInRing(node)).isTrue();
  }

  @Test
  void a_node_that_fails_to_start_has_still_been_in_the_ring() throws IOException {
    Files.createDirectories(node.data().resolve("system"));
    Files.writeString(
        node.systemLog(),
        "INFO  [main] 2026-01-01 10:00:00,000 X.java:1 - Node /127.0.0.1:7100 state jump to"
            + " NORMAL\n");

    StartupLog.begin(node);
    assertThat(node.systemLog()).doesNotExist();
    StartupLog.begin(node);

    assertThat(StartupLog.hasBeenInRing(node)).isTrue();
    NodeFiles.wipe(node);
    assertThat(StartupLog.hasBeenInRing(node)).isFalse();
  }

  @Test
  void a_node_that_was_decommissioned_has_left() throws IOException {
    assertThat(StartupLog.hasLeft(node)).isFalse();
    Files.writeString(
        node.systemLog(),
        "INFO  [RMI TCP] 2026-01-01 10:00:00,000 StorageService.java:2 - DECOMMISSIONED\n");

    assertThat(StartupLog.hasLeft(node)).isTrue();
  }

  @Test
  void without_anything_it_says_so() {
    assertThat(StartupLog.cause(node)).isEqualTo("its process ended without a message");
  }
}
