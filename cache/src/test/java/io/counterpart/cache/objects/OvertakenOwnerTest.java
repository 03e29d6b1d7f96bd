package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.coded.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner that stands still while another one takes over its servers. */
@Timeout(60)
class OvertakenOwnerTest {
  private static final Duration REPLY = Duration.ofMillis(400);

  @TempDir private Path directory;

  @Test
  void writes_nothing_when_it_wakes() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient first = new CodedClient(settings(servers, "first"))) {
      assertThat(CodedClient.await(first.set("k", value("before")))).isEqualTo(Status.DONE);
      copy(directory.resolve("first"), directory.resolve("second"));

      first.standStill(REPLY.multipliedBy(12));
      CompletableFuture<Status> late = first.set("k", value("late"));
      CompletableFuture<Status> other = first.set("other", value("late"));
      try (CodedClient second = new CodedClient(settings(servers, "second"))) {
        assertThat(CodedClient.await(second.set("k", value("after")))).isEqualTo(Status.DONE);
        assertThat(late).as("the first one still stands").isNotDone();

        assertThatThrownBy(() -> first.shard().ended().get(10, TimeUnit.SECONDS))
            .hasMessageContaining("another machine serves the tier");

        assertThat(late).isNotDone();
        assertThat(other).isNotDone();
        assertThat(CodedClient.await(second.get("k")).value()).isEqualTo(value("after"));
        assertThat(CodedClient.await(second.get("other")).status()).isEqualTo(Status.NOT_FOUND);
        assertThat(second.scrub()).isEmpty();
      }
    }
  }

  private CodedSettings settings(CodedServers servers, String name) {
    return new CodedSettings(
        new CodeShape(5, 3),
        servers.ids(),
        directory.resolve(name),
        0,
        256 << 10,
        Duration.ofSeconds(2),
        new ConnectionSettings(
            Duration.ofSeconds(1), REPLY, Duration.ofMillis(10), Duration.ofMillis(100)));
  }

  private static byte[] value(String text) {
    return text.repeat(20).getBytes(StandardCharsets.US_ASCII);
  }

  private static void copy(Path from, Path to) throws Exception {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.sorted().toList()) {
        if (!file.toString().endsWith(".map")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }
}
