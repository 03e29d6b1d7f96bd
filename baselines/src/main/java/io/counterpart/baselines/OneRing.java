package io.counterpart.baselines;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.metadata.Topology;

/** Makes the map of a new shard whose servers are in one ring. */
final class OneRing implements CodedScheme.Maps {
  @Override
  public ServerMap of(CodedSettings settings) {
    return ServersInOneRing.of(settings.code(), settings.servers());
  }

  @Override
  public ServerMap of(CodedSettings settings, Topology known) {
    throw new IllegalArgumentException(
        "metadata in %s, legal for the baseline ccmemcached: none".formatted(settings.metadata()));
  }
}
