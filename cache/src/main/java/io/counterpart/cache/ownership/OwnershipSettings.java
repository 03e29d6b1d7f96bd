package io.counterpart.cache.ownership;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of servers that may belong to others.
 *
 * @param adoptsServers whether servers that carry another tier's mark are emptied and taken
 * @param site of the metadata; null for that of their directory
 * @param copies of the metadata elsewhere; null for none
 */
public record OwnershipSettings(
    boolean adoptsServers, @Nullable Long site, @Nullable CopySettings copies) {
  /** Refuses servers of other tiers. */
  public static final OwnershipSettings DEFAULT = new OwnershipSettings(false, null);

  /** Takes servers of other tiers too. */
  public static final OwnershipSettings ADOPTING = new OwnershipSettings(true, null);

  /** Settings of a tier whose metadata have no copies. */
  public OwnershipSettings(boolean adoptsServers, @Nullable Long site) {
    this(adoptsServers, site, null);
  }

  /** The same with copies of the metadata elsewhere. */
  public OwnershipSettings with(CopySettings kept) {
    return new OwnershipSettings(adoptsServers, site, kept);
  }

  /** The site; the metadata are in this directory, which exists. */
  public long siteOf(Path directory) throws IOException {
    return site == null ? OwnerSite.of(directory) : site;
  }
}
