package io.counterpart.cli.cache;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.service.TierMetadata;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.tier.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/**
 * Decides whether a tier goes on with the metadata in its directory or begins anew. Metadata of
 * local servers live as long as one of these servers. Metadata of servers that somebody else runs
 * stay until they are deleted, because their objects stay too.
 */
final class MetadataChecks {
  private final TierHome home;
  private final Optional<Tier> found;
  private final Tier tier;
  private final TierOptions options;

  /**
   * @param found the tier recorded in the directory
   * @param tier that is to start, which may be the same
   */
  MetadataChecks(TierHome home, Optional<Tier> found, Tier tier, TierOptions options) {
    this.home = home;
    this.found = found;
    this.tier = tier;
    this.options = options;
  }

  /**
   * Checks that the tier may start with the existing metadata, or without them.
   *
   * @throws PreconditionException if not, with the legal ways
   */
  void require() {
    if (!Files.isDirectory(home.metadata()) || isOthers()) {
      return;
    }
    if (!tier.servers().isEmpty() && isOfForeignServers()) {
      throw new PreconditionException(
          "%s has the metadata of objects on servers that somebody else runs: go on with --server, or"
                  .formatted(home.metadata())
              + " delete the directory, by which they are forgotten");
    }
    try {
      if (isOfForeignServers()) {
        TierMetadata.check(home.metadata(), options.proxy().keeping(home.metadata()));
      }
    } catch (IllegalArgumentException | IOException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Number of somebody else's servers that may be down: as many as the code tolerates in all
   * shards, if objects are known. The proxy knows which shard has them, and waits if one lacks
   * more.
   */
  int mayBeSilent() {
    CodeShape code = options.proxy().code();
    return code == null || !Files.isDirectory(home.metadata())
        ? 0
        : code.parityCount() * options.proxy().shards();
  }

  /** Forgets a former tier of this directory with its own servers, none of which runs any more. */
  void forgetOthers() {
    if (isOthers()) {
      found.ifPresent(former -> RecordedServers.stop(former, home));
    }
  }

  private boolean isOthers() {
    return found.isPresent() && found.get() != tier && !found.get().servers().isEmpty();
  }

  private boolean isOfForeignServers() {
    return found.isEmpty() || found.get().servers().isEmpty();
  }
}
