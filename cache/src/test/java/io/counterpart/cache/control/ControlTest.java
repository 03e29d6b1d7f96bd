package io.counterpart.cache.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands and their answers through a real socket, in front of the test's tier. */
@Timeout(120)
class ControlTest {
  private static final CodedReport CODED =
      new CodedReport(
          5,
          3,
          "a coder: \t fast",
          4,
          5,
          6,
          7,
          8,
          9,
          10,
          11,
          12,
          13,
          14,
          15,
          16,
          17,
          18,
          19,
          20,
          21,
          22,
          23,
          24,
          25,
          26);
  private static final ChangeReport CHANGE = new ChangeReport("adding", "a:1 b:2", 30, 90, 20);
  private static final List<ServerReport> SERVERS =
      List.of(
          new ServerReport("127.0.0.1:1", 0, "up", 3, 0),
          new ServerReport("[::1]:2", -1, "down", 0, 1));

  @TempDir Path directory;

  private final List<ServerChange> asked = new ArrayList<>();
  private int cancelled;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  @Test
  void a_report_arrives_as_it_was_told() throws IOException {
    try (ControlServer server = listen(new TierReport("echash", SERVERS, CODED, CHANGE));
        ControlClient client = connect()) {
      TierReport report = client.report();

      assertThat(server).isNotNull();
      assertThat(report.scheme()).isEqualTo("echash");
      assertThat(report.servers()).isEqualTo(SERVERS);
      assertThat(report.change()).isEqualTo(CHANGE);
      assertThat(report.coded())
          .isEqualTo(
              new CodedReport(
                  5,
                  3,
                  "a coder: fast",
                  4,
                  5,
                  6,
                  7,
                  8,
                  9,
                  10,
                  11,
                  12,
                  13,
                  14,
                  15,
                  16,
                  17,
                  18,
                  19,
                  20,
                  21,
                  22,
                  23,
                  24,
                  25,
                  26));
      assertThat(client.report()).isEqualTo(report);
    }
  }

  @Test
  void a_scheme_without_a_code_has_no_numbers_of_one() throws IOException {
    try (ControlServer server = listen(new TierReport("vanilla", SERVERS, null, null));
        ControlClient client = connect()) {
      assertThat(server).isNotNull();
      assertThat(client.report()).isEqualTo(new TierReport("vanilla", SERVERS, null, null));
    }
  }

  @Test
  void a_change_is_asked_for_and_waited_for() throws IOException {
    ServerChange change = ServerChange.parse("add a:1 b:2");
    List<Optional<ChangeReport>> progress = new ArrayList<>();
    try (ControlServer server = listen(new TierReport("echash", SERVERS, CODED, CHANGE));
        ControlClient client = connect()) {
      client.change(
          change,
          report -> {
            progress.add(report);
            report.ifPresent(told -> end.complete(null));
          });

      assertThat(server).isNotNull();
      assertThat(asked).containsExactly(change);
      assertThat(progress).startsWith(Optional.empty(), Optional.of(CHANGE));
    }
  }

  @Test
  void refusals_come_with_their_kind_and_reason() throws IOException {
    try (ControlServer server = listen(new TierReport("echash", SERVERS, CODED, null));
        ControlClient client = connect()) {
      assertThat(server).isNotNull();
      ServerChange change = ServerChange.parse("remove a:1");

      fails(new IllegalArgumentException("server a:1,\nlegal: b:2"));
      assertThatThrownBy(() -> client.change(change, report -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("server a:1, legal: b:2");
      fails(new IllegalStateException("another change"));
      assertThatThrownBy(() -> client.change(change, report -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("another change");
      fails(new IOException("no disk"));
      assertThatThrownBy(() -> client.change(change, report -> {}))
          .isInstanceOf(IOException.class)
          .hasMessage("no disk");
    }
  }

  @Test
  void a_change_is_cancelled_and_whoever_asked_for_it_is_told() throws IOException {
    try (ControlServer server = listen(new TierReport("echash", SERVERS, CODED, CHANGE));
        ControlClient client = connect()) {
      assertThat(server).isNotNull();
      client.cancelChange(report -> end.complete(null));
      assertThat(cancelled).isEqualTo(1);

      fails(new ChangeCancelledException("cancelled: adding a:1"));
      assertThatThrownBy(() -> client.change(ServerChange.parse("add a:1"), report -> {}))
          .isInstanceOf(ChangeCancelledException.class)
          .hasMessage("cancelled: adding a:1");
      fails(new IllegalStateException("no change"));
      assertThatThrownBy(() -> client.cancelChange(report -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no change");
    }
  }

  @Test
  void changes_are_checked_and_read_as_they_are_written() {
    assertThat(ServerChange.parse(" add  a [::1]:2 ")).hasToString("add a:11211 [::1]:2");
    assertThatThrownBy(() -> ServerChange.parse("drop a:1"))
        .hasMessage("'drop a:1', legal: add HOST:PORT … or remove HOST:PORT …");
    assertThatThrownBy(() -> ServerChange.parse("add")).hasMessage("0 servers, legal: 1 and above");
    assertThatThrownBy(() -> ServerChange.parse("remove a:1 a:1"))
        .hasMessage("server a:1 twice, legal: each once");
    assertThatThrownBy(() -> ServerChange.parse("add a:b")).hasMessageContaining("'a:b'");
  }

  @Test
  void the_time_left_follows_from_the_time_so_far() {
    assertThat(CHANGE.remaining()).contains(Duration.ofSeconds(10));
    assertThat(CHANGE).hasToString("adding a:1 b:2: 30 of 90 stripes left, about 10 s");
    assertThat(new ChangeReport("adding", "a:1", 90, 90, 20).remaining()).isEmpty();
  }

  @Test
  void only_the_own_user_may_ask_and_a_left_over_socket_is_replaced() throws IOException {
    TierReport report = new TierReport("vanilla", SERVERS, null, null);
    try (ControlServer first = listen(report)) {
      assertThat(first).isNotNull();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
      assertThatThrownBy(() -> listen(report))
          .isInstanceOf(IOException.class)
          .hasMessage("cannot listen on %s: another proxy listens there", file());
      try (ControlClient client = connect()) {
        assertThat(client.report()).isEqualTo(report);
      }
    }
    assertThat(file()).doesNotExist();
    Files.writeString(file(), "somebody's", UTF_8);
    assertThatThrownBy(() -> listen(report)).hasMessageContaining("a file is there");
    assertThat(file()).hasContent("somebody's");
    Files.delete(file());
    leaveSocket();

    try (ControlServer next = listen(report);
        ControlClient client = connect()) {
      assertThat(next).isNotNull();
      assertThat(client.report()).isEqualTo(report);
    }
  }

  @Test
  void a_path_that_no_socket_can_have_is_told() {
    Path path = Path.of("/" + "x".repeat(110));
    assertThatThrownBy(() -> ControlFile.requireLegal(path))
        .hasMessage("%s has 111 bytes, legal for a socket's path: up to 100", path);
  }

  @Test
  void the_end_of_the_proxy_is_told() throws IOException {
    ControlServer server = listen(new TierReport("echash", SERVERS, CODED, CHANGE));
    try (ControlClient client = connect()) {
      assertThatThrownBy(
              () -> client.change(ServerChange.parse("add a:1"), report -> server.close()))
          .isInstanceOf(IOException.class);
    }
    await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("cache-control")));
  }

  /** Leaves a socket as a killed proxy does. */
  private void leaveSocket() throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(ControlFile.address(file()));
    }
    assertThat(file()).exists();
  }

  private @Nullable Exception refusal;

  private void fails(Exception why) {
    refusal = why;
  }

  private Path file() {
    return directory.resolve("control");
  }

  private ControlClient connect() throws IOException {
    return ControlClient.connect(file());
  }

  private ControlServer listen(TierReport report) throws IOException {
    return ControlServer.listen(
        file(),
        new Controlled() {
          @Override
          public TierReport report() {
            return report;
          }

          @Override
          public CompletableFuture<Void> change(ServerChange change) {
            asked.add(change);
            return refusal == null ? end : CompletableFuture.failedFuture(refusal);
          }

          @Override
          public CompletableFuture<Void> cancelChange() {
            cancelled++;
            return refusal == null ? end : CompletableFuture.failedFuture(refusal);
          }
        });
  }
}
