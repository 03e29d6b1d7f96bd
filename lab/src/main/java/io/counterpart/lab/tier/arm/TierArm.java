package io.counterpart.lab.tier.arm;

import io.counterpart.cache.coded.settings.CodedScheme;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.MigrationMode;
import io.counterpart.cache.coded.settings.RepairMode;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: a scheme with its migration and repair modes.
 *
 * @param name stable name, as in results
 * @param scheme null for vanilla, each object on one server
 * @param migration order of copying and deleting
 * @param repair sources of a repair
 */
public record TierArm(
    String name, @Nullable CodedScheme scheme, MigrationMode migration, RepairMode repair) {
  /** Each object on one server. Paper: ECHash §5.1. */
  public static final TierArm VANILLA =
      new TierArm("vanilla", null, MigrationMode.LIVE, RepairMode.BATCHED);

  /** ECHash with its default modes. */
  public static final TierArm ECHASH = of(CodedScheme.ECHASH);

  /** The paper's baseline. */
  public static final TierArm CCMEMCACHED = of(CodedScheme.CCMEMCACHED);

  private static TierArm of(CodedScheme scheme) {
    return new TierArm(scheme.toString(), scheme, MigrationMode.LIVE, RepairMode.BATCHED);
  }

  /** The same with another migration mode, named after it. */
  public TierArm with(MigrationMode other) {
    return new TierArm(name + "+" + other, scheme, other, repair);
  }

  /** The same with another repair mode, named after it. */
  public TierArm with(RepairMode other) {
    return new TierArm(name + "+" + other, scheme, migration, other);
  }

  /** The usual settings with this arm's modes. */
  CodedSettings settings(CodedSettings usual, CodedScheme own) {
    return usual.with(own).with(migration).with(repair);
  }
}
