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
 * @param shards parts of a coded tier, each with servers and a thread of its own, 1 to 16. Fixed
 *     for good: it decides where every key is
 */
public record SchemeOptions(
    Scheme scheme,
    @Nullable CodeShape code,
    @Nullable Path metadata,
    boolean adoptsServers,
    boolean evicts,
    @Nullable PeerOptions peers,
    int shards) {
  /** Most shards of a tier. */
  public static final int MOST_SHARDS = 16;

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
    int most = scheme.isCoded() ? MOST_SHARDS : 1;
    if (shards < 1 || shards > most) {
      throw new IllegalArgumentException(
          "%d shards, legal with scheme %s: 1 to %d".formatted(shards, scheme, most));
    }
  }

  /** Options that refuse servers of other tiers. */
  public SchemeOptions(Scheme scheme, @Nullable CodeShape code, @Nullable Path metadata) {
    this(scheme, code, metadata, false, false, null, 1);
  }

  /** The same, but servers of other tiers are emptied and taken. */
  public SchemeOptions adopting() {
    return new SchemeOptions(scheme, code, metadata, true, evicts, peers, shards);
  }

  /** The same, but objects that nobody uses leave when the tier is full. */
  public SchemeOptions evicting() {
    return new SchemeOptions(scheme, code, metadata, adoptsServers, true, peers, shards);
  }

  /** The same, but with proxies on other machines. */
  public SchemeOptions with(PeerOptions others) {
    return new SchemeOptions(scheme, code, metadata, adoptsServers, evicts, others, shards);
  }

  /** The same with so many shards. */
  public SchemeOptions sharded(int number) {
    return new SchemeOptions(scheme, code, metadata, adoptsServers, evicts, peers, number);
  }

  /** The options as one of the shards sees them. */
  SchemeOptions ofShard(int shard) {
    return peers == null || shards == 1 ? this : with(peers.ofShard(shard, shards));
  }

  /** Least number of servers. */
  public int minServers() {
    return code == null ? 1 : code.n() * shards;
  }

  /** The notation for people, such as {@code echash (5,3)} or {@code echash (5,3) shards 4}. */
  @Override
  public String toString() {
    String named = code == null ? scheme.toString() : scheme + " " + code;
    return shards == 1 ? named : named + " shards " + shards;
  }
}
