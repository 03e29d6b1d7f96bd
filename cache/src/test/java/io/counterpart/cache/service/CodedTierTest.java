package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.store.StoreStatistics;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tier of one machine at the end of its use by a proxy. */
@Timeout(120)
class CodedTierTest extends CodedServiceFixture {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();

  @AfterEach
  void endLoop() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private CodedTier open() throws Exception {
    SchemeContext context =
        new SchemeContext(
            new SchemeOptions(Scheme.ECHASH, CODE, metadata()),
            0,
            servers.stream().map(server -> new ServerAddress("127.0.0.1", server.port())).toList(),
            new ProxyStore(null, 0, 1, loop, new StoreStatistics()),
            null,
            new MemoryBudget(loop, MemoryLimits.ofJvm()),
            loop);
    return CodedTier.open(
            context, context.codedSettings(), CodingLibrary.load(), new CompletableFuture<>())
        .get(40, TimeUnit.SECONDS);
  }

  /** From then on the lock is free: a late write to the store would be older than another's. */
  @Test
  void it_is_owned_until_it_ends() throws Exception {
    try (CodedTier tier = open()) {
      BooleanSupplier isOwner = tier.isOwner(false);
      assertThat(isOwner.getAsBoolean()).isTrue();

      tier.close();

      assertThat(isOwner.getAsBoolean()).isFalse();
    }
  }

  /** The next proxy goes on with it, and may have told so. */
  @Test
  void a_change_is_not_cancelled_after_its_end() throws Exception {
    try (CodedTier tier = open()) {
      String absent = "127.0.0.1:" + MemcachedProcess.freePort();
      CompletableFuture<Void> change = tier.change(ServerChange.parse("add " + absent));
      await().until(() -> tier.report().change() != null);
      tier.close();

      assertThatThrownBy(() -> tier.cancelChange().get(40, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a change that has begun goes on later");

      assertThat(metadata().resolve("change")).exists();
      assertThat(change).isCompletedExceptionally();
    }
  }
}
