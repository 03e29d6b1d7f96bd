package io.counterpart.lab.tier;

import io.counterpart.cache.coded.CodedSettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: a scheme and how it does its work.
 *
 * @param name stable name, as results have it
 * @param settings what a coded shard's settings are made of the usual ones; null for vanilla
 */
public record TierArm(String name, @Nullable UnaryOperator<CodedSettings> settings) {
  /** Each object on one server. Paper: ECHash §5.1. */
  public static final TierArm VANILLA = new TierArm("vanilla", null);

  /** ECHash as it is used. */
  public static final TierArm ECHASH = new TierArm("echash", settings -> settings);
}
