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
 * The inputs from which a scheme opens a shard of a tier.
 *
 * @param shard its number, from 0
 * @param servers servers of a new shard; an existing coded one knows its own
 * @param store the persistent store behind it
 * @param control the socket on which operators' commands reach this proxy; null for none
 * @param memory budget for requests that come from elsewhere; belongs to the shard's loop
 * @param loop the event loop of the shard
 */
record SchemeContext(
    SchemeOptions options,
    int shard,
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

  /** Whether this is one of several shards. */
  boolean isOneOfSeveral() {
    return options.shards() > 1;
  }

  /** Settings of the shard; for schemes with a code. */
  CodedSettings codedSettings() {
    CodedSettings settings =
        CodedSettings.of(
                Objects.requireNonNull(options.code()), ids(), metadata().resolve("shard-" + shard))
            .among(options.shards());
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

  /** File of the change of the shard's servers that is under way. */
  Path changeFile() {
    return metadata().resolve(isOneOfSeveral() ? "change-" + shard : "change");
  }

  /** Directory of the tier's metadata; for schemes with a code. */
  Path metadata() {
    return Objects.requireNonNull(options.metadata());
  }
}
