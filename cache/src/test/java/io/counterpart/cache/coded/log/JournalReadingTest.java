package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.PatientSettings;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
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
  private static final JournalNumbers MANY = new JournalNumbers(0, 100_000);
  private static final int MOST_OF_SERVER = 64;

  @TempDir private Path directory;

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final GuardedLoop loop = new GuardedLoop(loops.next(), why -> {});
  private final CompletableFuture<ServerLink> usable = new CompletableFuture<>();

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Uses the server as soon as it is connected. */
  private final class Watcher implements ServerLink.Watcher {
    @Override
    public void connected(ServerLink link) {
      link.use();
      link.renew(System.nanoTime());
      usable.complete(link);
    }

    @Override
    public void lost(ServerLink link, ServerLostException why) {}

    @Override
    public void becameStale(ServerLink link) {}

    @Override
    public void whenStaleIsDurable(Runnable then) {
      then.run();
    }

    @Override
    public Duration leaseLength() {
      return Duration.ofHours(1);
    }

    @Override
    public boolean isTierOwned() {
      return true;
    }
  }

  private CodedSettings settings() {
    return PatientSettings.of(directory);
  }

  private ServerLink connect(MemcachedProcess memcached) throws Exception {
    ServerId id = new ServerId("127.0.0.1:" + memcached.port());
    loop.execute(() -> new ServerLink(id, loop, settings(), false, new Watcher()));
    return usable.get(40, TimeUnit.SECONDS);
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
      ServerLink link = connect(memcached);
      JournalReading reading = new JournalReading(0, MANY);

      int read = pendingAfter(link, done -> reading.read(List.of(link), done));
      int dropped = pendingAfter(link, done -> JournalReading.drop(0, MANY, List.of(link), done));

      assertThat(read).isPositive().isLessThanOrEqualTo(MOST_OF_SERVER);
      assertThat(dropped).isPositive().isLessThanOrEqualTo(MOST_OF_SERVER);
      assertThat(reading.stripes()).isEmpty();
      loop.execute(link::close);
    }
  }
}
