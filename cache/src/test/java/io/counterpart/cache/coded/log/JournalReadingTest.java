package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.UsableLink;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The number of requests under way in a restart, with a real server. */
@Timeout(120)
class JournalReadingTest {
  private static final JournalNumbers MANY = new JournalNumbers(0, 10_000);
  private static final int MOST_OF_SERVER = 64;

  @TempDir private Path directory;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final GuardedLoop loop = new GuardedLoop(loops.next(), why -> {});

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Starts an operation; returns the number of its requests before the first answer. */
  private int pendingAfter(ServerLink link, Consumer<Runnable> begin) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    CompletableFuture<Integer> pending = new CompletableFuture<>();
    loop.execute(
        () -> {
          begin.accept(() -> done.complete(null));
          pending.complete(link.connection().pending());
        });
    done.get(40, TimeUnit.SECONDS);
    return pending.get();
  }

  @Test
  void neither_reading_nor_dropping_asks_for_all_numbers_at_once() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start()) {
      ServerLink link = UsableLink.to(memcached, loop, directory);
      JournalReading reading = new JournalReading(MANY);

      int read = pendingAfter(link, done -> reading.read(List.of(link), done));
      int dropped = pendingAfter(link, done -> JournalReading.drop(MANY, List.of(link), done));

      assertThat(read).isPositive().isLessThanOrEqualTo(MOST_OF_SERVER);
      assertThat(dropped).isPositive().isLessThanOrEqualTo(MOST_OF_SERVER);
      assertThat(reading.stripes()).isEmpty();
      loop.execute(link::close);
    }
  }
}
