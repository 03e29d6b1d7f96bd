package io.counterpart.cache.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.vanilla.VanillaTier;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The contract for the scheme without redundancy. */
class VanillaProxyTest extends ProxyContract {
  @Override
  ObjectTier start(MemcachedProcess behind, EventLoop loop) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ServerId server = new ServerId("behind");
    ServerConnection connection =
        new ServerConnection(
            new ServerAddress("127.0.0.1", behind.port()),
            loop,
            ConnectionSettings.DEFAULT,
            new ConnectionListener() {
              @Override
              public void connected(ServerConnection there) {
                connected.countDown();
              }

              @Override
              public void lost(ServerConnection gone, ServerLostException why) {}
            });
    assertThat(connected.await(40, TimeUnit.SECONDS)).isTrue();
    return new VanillaTier(HashRing.of(List.of(server), 100, 1), Map.of(server, connection));
  }
}
