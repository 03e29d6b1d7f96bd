package io.counterpart.cache.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(40)
class NameLookupsTest {
  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();

  @AfterEach
  void end() {
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void a_name_server_that_does_not_answer_holds_up_nothing_else() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    NameLookups lookups =
        new NameLookups(
            name -> {
              await(answer);
              return new InetAddress[] {InetAddress.getLoopbackAddress()};
            });

    Future<InetSocketAddress> found = resolve(lookups, "server.example");

    assertThat(loop.submit(() -> "other work").get(20, TimeUnit.SECONDS)).isEqualTo("other work");
    assertThat(found.isDone()).isFalse();
    answer.countDown();
    assertThat(found.get().getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
    assertThat(found.get().getPort()).isEqualTo(11211);
    lookups.close();
  }

  @Test
  void an_unknown_name_fails_and_may_be_known_later() throws Exception {
    CountDownLatch known = new CountDownLatch(1);
    NameLookups lookups =
        new NameLookups(
            name -> {
              if (known.getCount() > 0) {
                throw new UnknownHostException(name);
              }
              return new InetAddress[] {InetAddress.getLoopbackAddress()};
            });

    Future<InetSocketAddress> first = resolve(lookups, "server.example");
    assertThatThrownBy(first::get).hasRootCauseInstanceOf(UnknownHostException.class);
    known.countDown();

    assertThat(resolve(lookups, "server.example").get().getAddress().isLoopbackAddress()).isTrue();
    lookups.close();
  }

  @Test
  void addresses_and_localhost_are_found() throws Exception {
    NameLookups lookups = new NameLookups();

    for (String name : List.of("127.0.0.1", "localhost")) {
      assertThat(resolve(lookups, name).get().getAddress().isLoopbackAddress()).as(name).isTrue();
    }
    lookups.close();
  }

  private Future<InetSocketAddress> resolve(NameLookups lookups, String name) {
    return lookups.getResolver(loop).resolve(InetSocketAddress.createUnresolved(name, 11211));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
