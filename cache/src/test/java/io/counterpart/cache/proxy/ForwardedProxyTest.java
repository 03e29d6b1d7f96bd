package io.counterpart.cache.proxy;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.forward.PatientFollower;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;

/** The contract for clients of a proxy that forwards to the tier's owner. */
class ForwardedProxyTest extends EchashProxyTest {
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
    PatientFollower.follow(
        new OwnerAddress(address, secret, null), 1, 1, loop, forwarded, new ForwardStatistics());
    return forwarded;
  }

  @Override
  void end() {
    if (owner != null) {
      owner.close();
    }
    super.end();
  }
}
