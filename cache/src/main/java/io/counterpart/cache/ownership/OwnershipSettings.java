package io.counterpart.cache.ownership;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of servers that may belong to others.
 *
 * @param adoptsServers whether servers that carry another tier's mark are emptied and taken
 * @param site of the metadata; null for that of their directory
 */
public record OwnershipSettings(boolean adoptsServers, @Nullable Long site) {
  /** Refuses servers of other tiers. */
  public static final OwnershipSettings DEFAULT = new OwnershipSettings(false, null);

  /** Takes servers of other tiers too. */
  public static final OwnershipSettings ADOPTING = new OwnershipSettings(true, null);

  /** The site; the metadata are in this directory, which exists. */
  public long siteOf(Path directory) throws IOException {
    return site == null ? OwnerSite.of(directory) : site;
  }
}
