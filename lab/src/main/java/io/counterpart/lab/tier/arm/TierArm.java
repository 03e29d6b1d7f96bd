package io.counterpart.lab.tier.arm;

import io.counterpart.baselines.Baselines;
import io.counterpart.cache.coded.CodedScheme;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison.
 *
 * @param name stable name, as in results: of the scheme, and of what differs from it
 * @param scheme null for vanilla, each object on one server
 */
public record TierArm(String name, @Nullable CodedScheme scheme) {
  /** Each object on one server. Paper: ECHash §5.1. */
  public static final TierArm VANILLA = new TierArm("vanilla", null);

  /** The product. */
  public static final TierArm ECHASH = new TierArm("echash", CodedScheme.ECHASH);

  /** The paper's baseline. */
  public static final TierArm CCMEMCACHED = new TierArm("ccmemcached", Baselines.CCMEMCACHED);

  /** The same with migration as in the paper. */
  public static final TierArm CCMEMCACHED_PAPER =
      new TierArm("ccmemcached+paper", Baselines.CCMEMCACHED_PAPER);

  /** The same, with reads of the database instead of decoding. */
  public static final TierArm CCMEMCACHED_DATABASE =
      new TierArm("ccmemcached+db", Baselines.CCMEMCACHED_DATABASE);

  /** ECHash with migration as in the paper. */
  public static final TierArm ECHASH_PAPER = new TierArm("echash+paper", Baselines.ECHASH_PAPER);

  /** Repair of whole chunks. */
  public static final TierArm ECHASH_CHUNK = new TierArm("echash+chunk", Baselines.ECHASH_CHUNK);

  /** Repair of whole chunks, for each object anew. */
  public static final TierArm ECHASH_CHUNK_EACH =
      new TierArm("echash+chunk_each", Baselines.ECHASH_CHUNK_EACH);

  /** Repair object by object. */
  public static final TierArm ECHASH_FRAGMENT =
      new TierArm("echash+fragment", Baselines.ECHASH_FRAGMENT);
}
