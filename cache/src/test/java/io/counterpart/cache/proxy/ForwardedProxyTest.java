package io.counterpart.cache.proxy;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnerConnection;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The contract for clients of a proxy that forwards to the tier's owner. */
class ForwardedProxyTest extends EchashProxyTest {
  private static final int MOST_GREETINGS = 10;

  private ProxyServer owner;

  @Override
  ObjectTier start(MemcachedProcess behind, EventLoop loop) throws Exception {
    ObjectTier owned = super.start(behind, loop);
    OwnershipSecret secret = OwnershipSecret.random();
    owner =
        ProxyServer.listenToFollowers(
            owned,
            new MemoryBudget(loop, MemoryLimits.ofJvm()),
            secret,
            () -> System.nanoTime() / 1_000_000);
    FailoverTier forwarded = new FailoverTier(loop, new ForwardStatistics());
    ServerAddress address = new ServerAddress("127.0.0.1", owner.address().getPort());
    follow(new OwnerAddress(address, secret, null), loop, forwarded);
    return forwarded;
  }

  /** Greets again where this machine was too busy for an answer within a second. */
  private static void follow(OwnerAddress to, EventLoop loop, FailoverTier forwarded)
      throws Exception {
    for (int greeting = 1; ; greeting++) {
      try {
        OwnerConnection.open(
                to,
                new OwnershipSecret.Greeting(1, greeting),
                loop,
                forwarded,
                new ForwardStatistics(),
                ConnectionSecurity.NONE)
            .get(40, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException late) {
        if (greeting == MOST_GREETINGS) {
          throw late;
        }
      }
    }
  }

  @Override
  void end() {
    if (owner != null) {
      owner.close();
    }
    super.end();
  }
}
