package io.counterpart.lab.tier;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.BlockMeter;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.ShardCounters;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierSampler;
import io.counterpart.lab.tier.arm.TierUnderTest;
import io.counterpart.lab.tier.client.ClientWatch;
import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Kills a server of each tier and measures the repair of an empty one in its place, arms in turn.
 * Throughput is the bytes that the server held, divided by the time of the repair. At the end every
 * stripe is verified. Paper: ECHash §5.3, Experiment 4.
 *
 * @param name of the stage, such as 8_6
 * @param arms under comparison, all coded
 */
public record RepairStage(String name, TierShape shape, List<TierArm> arms, Repeats repeats)
    implements TierStage {
  private static final int SCRUB_SECONDS = 900;

  /** Copies the arms. */
  public RepairStage {
    arms = List.copyOf(arms);
  }

  /** Phase of the blocks. */
  public static String phase(String name) {
    return "repair_" + name;
  }

  @Override
  public List<String> armNames() {
    return TierStage.names(arms);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new RepairStage(name, shape, TierStage.chosen(arms, names), repeats);
  }

  @Override
  public int blocks() {
    return arms.size() * (1 + repeats.measured());
  }

  @Override
  public void run(StageContext context) throws IOException {
    try (ArmSet open = context.open(this, arms, shape, 0)) {
      context.load(open, "load_" + name);
      for (int repeat = -repeats.warmUps(); repeat < repeats.measured(); repeat++) {
        for (OpenArm arm : open.inTurn(Math.abs(repeat))) {
          BlockResult block = repair(context, arm, repeat);
          if (repeat >= 0) {
            context.measured(block);
          }
        }
      }
      for (OpenArm arm : open.all()) {
        scrub(context, arm);
      }
      context.readBack(open);
    }
  }

  private BlockResult repair(StageContext context, OpenArm arm, int repeat) throws IOException {
    String phase = phase(name);
    context.progress().step("%s %s %d".formatted(arm.name(), phase, repeat + 1), 0);
    int server = Math.floorMod(repeat, shape.servers());
    long held = arm.servers().itemBytes(server);
    BlockMeter meter = BlockMeter.begin(arm);
    try (TierSampler sampler =
        context.sampling(repeat).begin(arm, phase, new ClientWatch(), Sampling.Work.RESTORED)) {
      RepairWatch watch = RepairWatch.begin(arm.tier());
      arm.servers().replace(server);
      long nanos = watch.await();
      Map<String, Long> counted = meter.counted();
      long restored =
          counted.getOrDefault(ShardCounters.RESTORED_OBJECTS, 0L)
              + counted.getOrDefault(ShardCounters.RESTORED_PARITY, 0L);
      BlockMeter.Work work = new BlockMeter.Work(restored, 0, nanos, Map.of());
      BlockResult block = meter.end(phase, repeat, work, Map.of(Counters.BYTES, held));
      sampler.end(block);
      return block;
    }
  }

  /**
   * Verifies all stripes before reads could decode, and so hide, items that the repair left out.
   */
  private static void scrub(StageContext context, OpenArm arm) throws IOException {
    context.progress().step(arm.name() + " scrub", 0);
    List<String> problems =
        TierUnderTest.await(
            arm.tier().<List<String>>begin(done -> arm.tier().shard().scrub(done::complete)),
            SCRUB_SECONDS);
    problems.stream().limit(3).forEach(context.progress()::say);
    context.record().add(CheckOutcome.NONE.plusWrong(problems.size()));
  }
}
