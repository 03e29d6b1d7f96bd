package io.counterpart.cache.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to one shard of several through a real socket. */
@Timeout(120)
class ShardControlTest {
  private static final int SHARDS = 2;

  @TempDir Path directory;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private ControlServer server;

  /** Reports its name as the scheme and as what is being added, and notes changes. */
  private class Named implements Controlled {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public TierReport report() {
      return new TierReport(name, List.of(), null, new ChangeReport("adding", name, 1, 2, 3));
    }

    @Override
    public CompletableFuture<Void> change(ServerChange change) {
      asked.add(name + " " + change);
      return end;
    }

    @Override
    public CompletableFuture<Void> cancelChange() {
      asked.add(name + " cancel");
      return end;
    }
  }

  private final class Sharded extends Named {
    Sharded() {
      super("tier");
    }

    @Override
    public Controlled shard(int number) {
      if (number < 0 || number >= SHARDS) {
        throw new IllegalArgumentException(
            "shard %d, legal: 0 to %d".formatted(number, SHARDS - 1));
      }
      return new Named("shard-" + number);
    }
  }

  @BeforeEach
  void listen() throws IOException {
    server = ControlServer.listen(file(), new Sharded());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Path file() {
    return directory.resolve("control");
  }

  @Test
  void a_shard_is_asked_by_its_number_and_the_tier_without() throws IOException {
    try (ControlClient tier = ControlClient.connect(file());
        ControlClient shard = ControlClient.connect(file(), 1)) {
      assertThat(tier.report().scheme()).isEqualTo("tier");
      assertThat(shard.report().scheme()).isEqualTo("shard-1");

      List<String> adding = new ArrayList<>();
      shard.change(
          ServerChange.parse("add a:1"),
          progress ->
              progress.ifPresent(
                  told -> {
                    adding.add(told.servers());
                    end.complete(null);
                  }));
      assertThat(adding).isNotEmpty().containsOnly("shard-1");
      shard.cancelChange(progress -> {});
      tier.change(ServerChange.parse("remove a:1"), progress -> {});
      assertThat(shard.report().scheme()).isEqualTo("shard-1");
    }

    assertThat(asked).containsExactly("shard-1 add a:1", "shard-1 cancel", "tier remove a:1");
  }

  @Test
  void a_shard_that_is_not_there_is_refused_with_the_legal_numbers() throws IOException {
    try (ControlClient shard = ControlClient.connect(file(), SHARDS)) {
      assertThatThrownBy(() -> shard.change(ServerChange.parse("add a:1"), progress -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("shard 2, legal: 0 to 1");
      assertThatThrownBy(shard::report)
          .isInstanceOf(IOException.class)
          .hasMessage("shard 2, legal: 0 to 1");
      assertThatThrownBy(() -> shard.cancelChange(progress -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("shard 2, legal: 0 to 1");
      assertThatThrownBy(shard::report).hasMessageContaining("shard 2, legal: 0 to 1");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void a_tier_without_shards_has_none_to_ask() throws IOException {
    Path other = directory.resolve("other");
    try (ControlServer alone = ControlServer.listen(other, new Named("tier"));
        ControlClient shard = ControlClient.connect(other, 0)) {
      assertThat(alone).isNotNull();
      assertThatThrownBy(() -> shard.change(ServerChange.parse("add a:1"), progress -> {}))
          .hasMessage("shard 0, legal: none");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shard -1 status",
        "shard two status",
        "shard  status",
        "shard 99999999999 status",
        "shard 0",
        "shard 0 ",
        "shard 0 shard 1 status",
        "shard 0 no such request"
      })
  void a_request_that_is_not_understood_is_refused_and_the_next_is_answered(String request)
      throws IOException {
    assertThat(answers(request, "shard 0 status", "status"))
        .hasSize(7)
        .satisfies(lines -> assertThat(lines.get(0)).startsWith("refused\t"))
        .contains("scheme\tshard-0", "scheme\ttier");
    assertThat(asked).isEmpty();
  }

  /** The lines of all answers to requests in one connection. */
  private List<String> answers(String... requests) throws IOException {
    try (SocketChannel channel = SocketChannel.open(ControlFile.address(file()))) {
      channel.write(ByteBuffer.wrap((String.join("\n", requests) + "\n").getBytes(UTF_8)));
      channel.shutdownOutput();
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
      return new ArrayList<>(lines.lines().toList());
    }
  }
}
