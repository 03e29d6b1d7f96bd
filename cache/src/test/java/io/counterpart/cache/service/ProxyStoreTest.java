package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a proxy may take over, as far as its store is concerned. */
class ProxyStoreTest {
  private final EventLoop loop = new EmbeddedChannel().eventLoop();

  @Test
  void a_store_is_reached_if_one_of_its_nodes_takes_connections() throws IOException {
    InetSocketAddress down = loopback(MemcachedProcess.freePort());
    try (ServerSocket node = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress up = loopback(node.getLocalPort());

      assertThat(store(up).isReached()).isTrue();
      assertThat(store(down, up).isReached()).isTrue();
      assertThat(store(down).isReached()).isFalse();
    }
  }

  @Test
  void without_a_store_nothing_is_to_be_reached() {
    assertThat(new ProxyStore(null, 0, 1, loop, new StoreStatistics()).isReached()).isTrue();
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private ProxyStore store(InetSocketAddress... nodes) {
    return new ProxyStore(
        new StoreOptions(CassandraOptions.of(List.of(nodes)), StoreLimits.DEFAULT, null),
        0,
        1,
        loop,
        new StoreStatistics());
  }
}
