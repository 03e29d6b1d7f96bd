package io.counterpart.cache.coded.server;

import java.util.List;

/**
 * Tells whether a server was lost since this was made, all of which were usable then. Belongs to
 * the shard's event loop.
 */
public final class LossWatch {
  private final List<ServerLink> servers;
  private final long losses;

  public LossWatch(List<ServerLink> servers) {
    this.servers = List.copyOf(servers);
    this.losses = losses();
  }

  /** Also while the loss is not counted yet: what a server was asked last ends before. */
  public boolean hasLostAny() {
    return losses() != losses || !servers.stream().allMatch(ServerLink::isUsable);
  }

  private long losses() {
    return servers.stream().mapToLong(ServerLink::losses).sum();
  }
}
