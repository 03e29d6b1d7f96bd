package io.counterpart.cache.service;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.service.peer.PeerOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of a proxy's scheme.
 *
 * @param code the code of a coded scheme, else null
 * @param metadata directory of a coded scheme's metadata, else null
 * @param adoptsServers whether servers that carry another tier's mark are emptied and taken
 * @param evicts whether objects that nobody uses leave when a coded tier is full
 * @param peers proxies of a coded tier on other machines; null for none
 */
public record SchemeOptions(
    Scheme scheme,
    @Nullable CodeShape code,
    @Nullable Path metadata,
    boolean adoptsServers,
    boolean evicts,
    @Nullable PeerOptions peers) {
  /** Each object on one server. */
  public static final SchemeOptions VANILLA = new SchemeOptions(Scheme.VANILLA, null, null);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the missing or superfluous option
   */
  public SchemeOptions {
    if (scheme.isCoded() && (code == null || metadata == null)) {
      throw new IllegalArgumentException(
          "scheme " + scheme + " without a code or a directory for metadata, legal: with both");
    }
    if (!scheme.isCoded() && (code != null || metadata != null)) {
      throw new IllegalArgumentException(
          "scheme " + scheme + " with a code or a directory for metadata, legal: without");
    }
    if (!scheme.isCoded() && peers != null) {
      throw new IllegalArgumentException(
          "scheme " + scheme + " with peers " + peers.all() + ", legal: without; it has no owner");
    }
  }

  /** Options that refuse servers of other tiers. */
  public SchemeOptions(Scheme scheme, @Nullable CodeShape code, @Nullable Path metadata) {
    this(scheme, code, metadata, false, false, null);
  }

  /** The same, but servers of other tiers are emptied and taken. */
  public SchemeOptions adopting() {
    return new SchemeOptions(scheme, code, metadata, true, evicts, peers);
  }

  /** The same, but objects that nobody uses leave when the tier is full. */
  public SchemeOptions evicting() {
    return new SchemeOptions(scheme, code, metadata, adoptsServers, true, peers);
  }

  /** The same, but with proxies on other machines. */
  public SchemeOptions with(PeerOptions others) {
    return new SchemeOptions(scheme, code, metadata, adoptsServers, evicts, others);
  }

  /** Least number of servers. */
  public int minServers() {
    return code == null ? 1 : code.n();
  }

  /** The notation for people, such as {@code echash (5,3)}. */
  @Override
  public String toString() {
    return code == null ? scheme.toString() : scheme + " " + code;
  }
}
