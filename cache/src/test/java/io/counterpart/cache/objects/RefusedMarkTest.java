package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.tier.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server without memory for another version of its mark, whose chunk somebody else takes. */
@Timeout(120)
class RefusedMarkTest {
  /** Longer than a relay holds anything, and servers are late on a busy machine. */
  private static final Duration REPLY = Duration.ofSeconds(3);

  /** Three reply time-outs are a lease. */
  private static final Duration TAKEOVER = REPLY.multipliedBy(15).dividedBy(4);

  private static final int KEYS = 100;

  /** With key and header an item of the mark's slab class. */
  private static final int ALIKE_BYTES = 100;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  @TempDir private Path directory;

  @Test
  void is_not_emptied() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "8");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      RawServer server = new RawServer(servers, 0);
      setAll(client);
      client.fold();
      await("its mark").until(() -> server.mark().endsWith(" whole"));
      StrangeItems strange = new StrangeItems(servers);
      strange.fill();
      StrangeItems more = new StrangeItems(servers, 0);
      long flushes = server.flushes();

      relay.hold(" whole\r\n"); // what is noted once the server is restored
      server.deleteMark();
      relay.holds().get(40, TimeUnit.SECONDS);
      more.takeWhatIsFree(
          ALIKE_BYTES,
          () -> {
            release(relay);
            await("it has no mark, or has kept it").until(() -> !server.mark().endsWith("lacking"));
          });
      more.takeWhatIsFree(
          ALIKE_BYTES,
          BETWEEN_LOOKS,
          () ->
              await("it is used for longer than one without a lease is")
                  .during(REPLY.multipliedBy(5))
                  .atMost(Duration.ofSeconds(40))
                  .until(() -> client.losses() == 0 && client.usable().size() == 5));
      more.delete();
      strange.delete();

      await("it is whole")
          .atMost(Duration.ofSeconds(40))
          .until(() -> client.usable().size() == 5 && server.mark().endsWith(" whole"));
      assertThat(server.flushes()).isEqualTo(flushes);
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.get("key-" + i)).value()).isEqualTo(value());
      }
    }
  }

  /** Nothing but the mark, which is not there, could tell that it was emptied. */
  @Test
  void is_restored_if_somebody_empties_it() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "8");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      RawServer server = new RawServer(servers, 0);
      setAll(client);
      client.fold();
      await("its mark").until(() -> server.mark().endsWith(" whole"));
      StrangeItems strange = new StrangeItems(servers, 0);
      strange.fill();

      relay.hold(" whole\r\n");
      server.deleteMark();
      relay.holds().get(40, TimeUnit.SECONDS);
      strange.takeWhatIsFree(
          ALIKE_BYTES,
          () -> {
            release(relay);
            await("it has no mark, or has kept it").until(() -> !server.mark().endsWith("lacking"));
            server.flush();
          });
      strange.delete();

      await("it is whole")
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  client.usable().size() == 5
                      && client.toRestore() == 0
                      && server.mark().endsWith(" whole"));
      assertThat(client.scrub()).isEmpty();
      servers.kill(1);
      servers.kill(2);
      for (int i = 0; i < KEYS; i++) {
        assertThat(CodedClient.await(client.get("key-" + i)).value()).isEqualTo(value());
      }
    }
  }

  /** The mark that its refusal has dropped may have been another one than that which was read. */
  @Test
  void is_claimed_like_another_owners() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "8");
        HoldingRelay relay = new HoldingRelay(new RawServer(servers, 0).port());
        CodedClient client = new CodedClient(settings(servers, relay))) {
      RawServer server = new RawServer(servers, 0);
      setAll(client);
      client.fold();
      await("its mark").until(() -> server.mark().endsWith(" whole"));
      client.crash(directory.resolve("second"));
      new StrangeItems(servers, 0).fill();

      long beginNanos = System.nanoTime();
      client.reopen();
      await("it is used").atMost(Duration.ofSeconds(40)).until(() -> client.usable().size() == 5);

      assertThat(Duration.ofNanos(System.nanoTime() - beginNanos)).isGreaterThan(TAKEOVER);
      assertThat(CodedClient.await(client.get("key-0")).value()).isEqualTo(value());
    }
  }

  private static void release(HoldingRelay relay) {
    try {
      relay.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void setAll(CodedClient client) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(CodedClient.await(client.set("key-" + i, value()))).isEqualTo(Status.DONE);
    }
  }

  private CodedSettings settings(CodedServers servers, HoldingRelay relay) {
    return relay.settings(
        servers, directory.resolve("metadata"), 256 << 10, CodedClient.answeringWithin(REPLY));
  }

  private static byte[] value() {
    return "value".repeat(20).getBytes(StandardCharsets.US_ASCII);
  }
}
