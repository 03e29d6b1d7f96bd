package io.counterpart.cache.service;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The schemes by name, each with the way to open its tier. */
public enum Scheme {
  /** Objects under an erasure code over rings of servers. Paper: ECHash. */
  ECHASH(true) {
    @Override
    CompletableFuture<OpenTier> open(List<SchemeContext> shards) {
      return ShardedTier.open(shards);
    }
  },

  /** Each object on one server, without redundancy. */
  VANILLA(false) {
    @Override
    CompletableFuture<OpenTier> open(List<SchemeContext> shards) {
      return UncodedTier.open(shards.get(0));
    }
  };

  private final boolean isCoded;

  Scheme(boolean isCoded) {
    this.isCoded = isCoded;
  }

  /**
   * The scheme of this name.
   *
   * @throws IllegalArgumentException with the name and the legal ones
   */
  public static Scheme parse(String name) {
    return Arrays.stream(values())
        .filter(scheme -> scheme.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scheme is '"
                        + name
                        + "', legal: "
                        + Arrays.stream(values())
                            .map(Scheme::toString)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Whether the scheme has a code, and so metadata; its servers can be added and removed while it
   * runs.
   */
  public boolean isCoded() {
    return isCoded;
  }

  /**
   * Whether its servers may evict items to make room for new ones, as memcached does. An evicted
   * item of a coded object would look like a loss.
   */
  public boolean evicts() {
    return !isCoded;
  }

  /**
   * Opens a tier.
   *
   * @param shards by number
   * @return done when clients can come; fails with an {@link java.io.IOException} or an {@link
   *     IllegalArgumentException} that gives the reason
   */
  abstract CompletableFuture<OpenTier> open(List<SchemeContext> shards);

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
