package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class UncodedTierTest {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();

  @AfterEach
  void close() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /**
   * A user of the tier, such as a persistent store, may hold a lock for good after an exception.
   */
  @Test
  void it_ends_when_an_answer_is_not_taken() throws Exception {
    try (MemcachedProcess memcached = MemcachedProcess.start();
        OpenTier tier = UncodedTier.open(context(memcached)).get(40, TimeUnit.SECONDS)) {
      ObjectTier objects = tier.objects().get(0);

      loop.execute(
          () ->
              objects.get(
                  Key.of("k"),
                  GetOptions.PLAIN,
                  outcome -> {
                    throw new IllegalStateException("made to fail");
                  }));

      assertThatThrownBy(() -> tier.ended().get(40, TimeUnit.SECONDS))
          .hasMessageContaining("made to fail");
    }
  }

  private SchemeContext context(MemcachedProcess memcached) {
    return new SchemeContext(
        SchemeOptions.VANILLA,
        0,
        List.of(new ServerAddress("127.0.0.1", memcached.port())),
        new ProxyStore(null, 0, 1, loop, new StoreStatistics()),
        null,
        new MemoryBudget(loop, MemoryLimits.ofJvm()),
        loop);
  }
}
