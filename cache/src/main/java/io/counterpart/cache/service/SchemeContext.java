package io.counterpart.cache.service;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.metadata.copy.CopyIdentity;
import io.counterpart.cache.metadata.disk.DurableFiles;
import io.counterpart.cache.ownership.CopySettings;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.proxy.MemoryBudget;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.service.peer.PeerOptions;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs from which a scheme opens a tier.
 *
 * @param servers servers of a new tier; an existing coded tier knows its own
 * @param store the persistent store behind the tier
 * @param control the socket on which operators' commands reach this proxy; null for none
 * @param memory budget for requests; belongs to the tier's loop
 * @param loop the event loop of the tier
 */
record SchemeContext(
    SchemeOptions options,
    List<ServerAddress> servers,
    ProxyStore store,
    @Nullable Path control,
    MemoryBudget memory,
    EventLoop loop) {
  static final ConnectionSettings CONNECTIONS = ConnectionSettings.DEFAULT;

  /** Names of the servers, by which keys find them. */
  List<ServerId> ids() {
    return servers.stream().map(SchemeContext::id).toList();
  }

  static ServerId id(ServerAddress server) {
    return new ServerId(server.toString());
  }

  /** Settings of the one shard; for schemes with a code. */
  CodedSettings codedSettings() {
    CodedSettings settings =
        CodedSettings.of(
            Objects.requireNonNull(options.code()), ids(), metadata().resolve("shard-0"));
    settings = options.evicts() ? settings.evicting(store.evictionRule()) : settings;
    settings = store.isThere() ? settings.stored() : settings;
    return options.adoptsServers() ? settings.with(OwnershipSettings.ADOPTING) : settings;
  }

  /**
   * The same settings, with copies of the metadata elsewhere if there are peers.
   *
   * @throws IOException if the id of the copy here cannot be read
   */
  CodedSettings keepingCopies(CodedSettings settings) throws IOException {
    PeerOptions peers = options.peers();
    if (peers == null) {
      return settings;
    }
    DurableFiles.makeDirectories(settings.metadata());
    CopySettings copies =
        new CopySettings(
            CopyIdentity.of(settings.metadata()),
            peers.copies(),
            CopyIdentity.isOriginal(settings.metadata()));
    return settings.with(settings.ownership().with(copies)).takingOver();
  }

  /** Directory of the metadata; for schemes with a code. */
  Path metadata() {
    return Objects.requireNonNull(options.metadata());
  }
}
