package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A proxy whose machine has been started anew while its servers, elsewhere, have lived on. */
@Timeout(120)
class RebootTest {
  @TempDir private Path directory;

  /** Servers learn of the end of a connection late, if nothing is sent on it any more. */
  @Test
  void waits_for_no_connection_that_servers_still_list() throws Exception {
    List<Socket> halfOpen = new ArrayList<>();
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client = new CodedClient(patient(servers))) {
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      List<String> lines = new ArrayList<>(List.of("boot before-the-loss-of-power"));
      for (int server = 0; server < servers.count(); server++) {
        int port = new RawServer(servers, server).port();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        halfOpen.add(socket);
        lines.add(servers.id(server).name() + " " + socket.getLocalPort());
      }
      Files.write(directory.resolve("second").resolve("connections"), lines);

      client.reopen();

      assertThat(client.usable()).hasSize(5);
      assertThat(CodedClient.await(client.get("k")).value()).isEqualTo(value());
    } finally {
      for (Socket socket : halfOpen) {
        socket.close();
      }
    }
  }

  /** Its list may have any of the connections of the process before. */
  @Test
  void does_not_use_a_server_that_lists_no_connections() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      assertThat(CodedClient.await(client.set("k", value()))).isEqualTo(Status.DONE);
      client.crash(directory.resolve("second"));
      relay.replace("stats conns", "stats conn!"); // an error is the answer

      client.reopen();
      // another one may be late for so short a wait at the start
      await("the others are used")
          .untilAsserted(
              () -> assertThat(client.usable()).hasSize(4).doesNotContain(relay.id().name()));

      relay.replace("", "");
      await("it is used").until(() -> client.usable().size() == 5);
      assertThat(CodedClient.await(client.get("k")).value()).isEqualTo(value());
    }
  }

  /** All of them join after two seconds, some a moment later than others. */
  private CodedSettings patient(CodedServers servers) {
    return new CodedSettings(
        new CodeShape(5, 3),
        servers.ids(),
        directory.resolve("first"),
        1 << 20,
        Duration.ofSeconds(20),
        CodedClient.QUICK);
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return relay.settings(servers, directory.resolve("first"), 1 << 20, CodedClient.QUICK);
  }

  private static byte[] value() {
    return "value".repeat(20).getBytes(StandardCharsets.US_ASCII);
  }
}
