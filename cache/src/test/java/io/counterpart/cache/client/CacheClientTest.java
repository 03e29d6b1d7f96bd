package io.counterpart.cache.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.objects.CodedObjectTier;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client on a coded tier of real servers. */
class CacheClientTest {
  private static final LongSupplier CLOCK = () -> System.currentTimeMillis() / 1000;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final List<MemcachedProcess> servers = new ArrayList<>();
  private CacheClient client;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    List<ServerId> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      MemcachedProcess server =
          MemcachedProcess.start(MemcachedProcess.freePort(), "-I", "2m", "-M");
      servers.add(server);
      ids.add(new ServerId("127.0.0.1:" + server.port()));
    }
    EventLoop loop = loops.next();
    CodedSettings settings = CodedSettings.of(new CodeShape(3, 2), ids, directory);
    CodedShard shard =
        CodedShard.open(
                CodedScheme.ECHASH,
                settings,
                CodingLibrary.load(),
                loop,
                CLOCK,
                new CompletableFuture<>())
            .get(40, TimeUnit.SECONDS);
    client = new CacheClient(new CodedObjectTier(shard, loop, CLOCK), loop);
  }

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    servers.forEach(MemcachedProcess::close);
  }

  @Test
  void values_are_written_read_and_deleted() throws Exception {
    assertThat(end(client.get("k"))).isEmpty();
    assertThat(end(client.replace("k", bytes("x"), 0, Duration.ZERO)))
        .isEqualTo(Outcome.NOT_STORED);
    assertThat(end(client.set("k", bytes("värde"), 42, Duration.ofHours(1))))
        .isEqualTo(Outcome.DONE);
    assertThat(end(client.add("k", bytes("y"), 0, Duration.ZERO))).isEqualTo(Outcome.NOT_STORED);
    assertThat(end(client.append("k", bytes("!")))).isEqualTo(Outcome.DONE);

    CachedValue value = end(client.get("k")).orElseThrow();

    assertThat(new String(value.bytes(), UTF_8)).isEqualTo("värde!");
    assertThat(value.flags()).isEqualTo(42);
    long version = value.version();
    assertThat(end(client.compareAndSet("k", bytes("z"), 0, Duration.ZERO, version + 1)))
        .isEqualTo(Outcome.OTHER_VERSION);
    assertThat(end(client.compareAndSet("k", bytes("z"), 0, Duration.ZERO, version)))
        .isEqualTo(Outcome.DONE);
    assertThat(end(client.delete("k"))).isEqualTo(Outcome.DONE);
    assertThat(end(client.delete("k"))).isEqualTo(Outcome.NOT_FOUND);
  }

  @Test
  void numbers_are_counted() throws Exception {
    assertThat(end(client.increment("n", 1))).isEmpty();
    end(client.set("n", bytes("9")));

    assertThat(end(client.increment("n", 3))).isEqualTo(Optional.of(12L));
    assertThat(end(client.decrement("n", 20))).isEqualTo(Optional.of(0L));
    end(client.set("n", bytes("no number")));
    assertThatThrownBy(() -> end(client.increment("n", 1)))
        .hasCauseInstanceOf(CacheException.class)
        .hasMessageContaining("not a decimal number");
  }

  @Test
  void mistakes_are_told_with_what_is_legal() throws Exception {
    assertThatThrownBy(() -> end(client.set("a ".repeat(94), bytes("v"))))
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("legal: 1 to 186");
    assertThat(end(client.set("a ".repeat(93), bytes("v")))).isEqualTo(Outcome.DONE);
    assertThat(end(client.get("a ".repeat(93)))).isPresent();
    assertThatThrownBy(() -> end(client.get("")))
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a key of 0 bytes; legal: 1 to 250");
    assertThatThrownBy(() -> end(client.set("k", bytes("v"), 0, Duration.ofDays(31))))
        .hasMessageContaining("legal: whole seconds, 0 (for ever) to 30 days");
    assertThatThrownBy(() -> end(client.set("k", new byte[(1 << 20) + 1])))
        .hasCauseInstanceOf(CacheException.class)
        .hasMessageContaining("above 1 MiB");
  }

  private static <T> T end(CompletableFuture<T> future) throws Exception {
    return future.get(40, TimeUnit.SECONDS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
