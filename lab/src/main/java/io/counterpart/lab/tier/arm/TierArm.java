package io.counterpart.lab.tier.arm;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedSettings;
import io.counterpart.cache.coded.MigrationMode;
import io.counterpart.cache.coded.RepairMode;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: a scheme with its migration and repair modes.
 *
 * @param name stable name, as results have it
 * @param scheme null for vanilla, each object on one server
 * @param migration how objects get to other servers
 * @param repair what is read to restore a server
 */
public record TierArm(
    String name, @Nullable CodedScheme scheme, MigrationMode migration, RepairMode repair) {
  /** Each object on one server. Paper: ECHash §5.1. */
  public static final TierArm VANILLA =
      new TierArm("vanilla", null, MigrationMode.LIVE, RepairMode.BATCHED);

  /** ECHash as it is used. */
  public static final TierArm ECHASH = of(CodedScheme.ECHASH);

  /** The paper's baseline. */
  public static final TierArm CCMEMCACHED = of(CodedScheme.CCMEMCACHED);

  private static TierArm of(CodedScheme scheme) {
    return new TierArm(scheme.toString(), scheme, MigrationMode.LIVE, RepairMode.BATCHED);
  }

  /** The same with another way of migration, which its name says. */
  public TierArm with(MigrationMode other) {
    return new TierArm(name + "+" + other, scheme, other, repair);
  }

  /** The same with another way of repair, which its name says. */
  public TierArm with(RepairMode other) {
    return new TierArm(name + "+" + other, scheme, migration, other);
  }

  /** Usual settings as this arm has them. */
  CodedSettings settings(CodedSettings usual, CodedScheme own) {
    return usual.with(own).with(migration).with(repair);
  }
}
