package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.Filling;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Writes objects until the first one is refused, and measures what share of the servers' memory is
 * their values. Then reads all of them back.
 *
 * @param code with a server for each ring, so that none has more objects than others
 * @param serverMegabytes memory of each in MiB
 * @param arms under comparison
 */
public record FillStage(CodeShape code, int serverMegabytes, int valueBytes, List<TierArm> arms)
    implements TierStage {
  private static final long MIB = 1 << 20;

  /** Copies the arms. */
  public FillStage {
    arms = List.copyOf(arms);
  }

  /** Phase of the block. */
  public static String phase(int valueBytes) {
    return "fill_" + valueBytes;
  }

  @Override
  public String name() {
    return phase(valueBytes);
  }

  @Override
  public List<String> armNames() {
    return TierStage.names(arms);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new FillStage(code, serverMegabytes, valueBytes, TierStage.chosen(arms, names));
  }

  @Override
  public int blocks() {
    return arms.size();
  }

  @Override
  public void run(StageContext context) throws IOException {
    int servers = code.n();
    int mostObjects = Math.toIntExact(servers * serverMegabytes * MIB / valueBytes);
    TierShape shape =
        new TierShape(code, servers, mostObjects, valueBytes, TierNetwork.DIRECT, serverMegabytes);
    try (ArmSet open = context.open(this, arms, shape, 0)) {
      for (OpenArm arm : open.all()) {
        String label = arm.name() + " " + name();
        LongConsumer step = context.progress().step(label, mostObjects);
        context.measured(Filling.run(arm, name(), step, context.sampling()));
      }
      context.readBack(open);
    }
  }
}
