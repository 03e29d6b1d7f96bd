package io.counterpart.lab.tier;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.Loading;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Writes objects and measures the memory of their indexes. Paper: ECHash §5.5, Table 3.
 *
 * @param name of the stage, which ends its phase's name
 * @param arms under comparison, all coded
 */
public record MetadataStage(String name, TierShape shape, List<TierArm> arms) implements TierStage {
  /** Copies the arms. */
  public MetadataStage {
    arms = List.copyOf(arms);
  }

  /** Phase of the block. */
  public static String phase(String name) {
    return "metadata_" + name;
  }

  @Override
  public List<String> armNames() {
    return TierStage.names(arms);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new MetadataStage(name, shape, TierStage.chosen(arms, names));
  }

  @Override
  public int blocks() {
    return arms.size();
  }

  @Override
  public void run(StageContext context) throws IOException {
    try (ArmSet open = context.open(this, arms, shape, 0)) {
      for (OpenArm arm : open.all()) {
        String phase = phase(name);
        LongConsumer step = context.progress().step(arm.name() + " " + phase, shape.objects());
        BlockResult loaded = Loading.run(arm, phase, step, context.sampling());
        Map<String, Long> counters = new LinkedHashMap<>(loaded.counters());
        counters.putAll(arm.memory());
        context.measured(loaded.withCounters(counters));
      }
      context.readBack(open);
    }
  }
}
