package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;

/** The contract for the coded scheme with a persistent store. */
class StoredEchashProxyTest extends EchashProxyTest {
  @Override
  ObjectTier start(MemcachedProcess behind, EventLoop loop) throws Exception {
    return FlushingTier.of(super.start(behind, loop), loop);
  }
}
