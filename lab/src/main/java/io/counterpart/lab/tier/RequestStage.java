package io.counterpart.lab.tier;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.BlockMeter;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierSampler;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Requests of clients to healthy tiers: all objects are written, then blocks of each phase run on
 * the arms in turn. All blocks of a phase have as many requests: those of the phase, or more if the
 * fastest arm would need less than the least time. Paper: ECHash §5.3, Experiment 1.
 *
 * @param name of the stage
 * @param arms compared
 * @param phases one after the other
 * @param connections of the client, 1 to 256
 * @param depth requests under way on each, 1 to 1024
 * @param leastTime of a measured block
 */
public record RequestStage(
    String name,
    TierShape shape,
    List<TierArm> arms,
    List<MixPhase> phases,
    int connections,
    int depth,
    Repeats repeats,
    Duration leastTime)
    implements TierStage {
  /** Copies the lists. */
  public RequestStage {
    arms = List.copyOf(arms);
    phases = List.copyOf(phases);
  }

  @Override
  public List<String> armNames() {
    return TierStage.names(arms);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new RequestStage(
        name, shape, TierStage.chosen(arms, names), phases, connections, depth, repeats, leastTime);
  }

  @Override
  public int blocks() {
    return arms.size() * (1 + phases.size() * repeats.measured());
  }

  @Override
  public void run(StageContext context) throws IOException {
    try (ArmSet open = context.open(this, arms, shape, 0)) {
      context.load(open, "load_" + name);
      for (MixPhase phase : phases) {
        run(context, open, phase);
      }
      context.readBack(open);
    }
  }

  private void run(StageContext context, ArmSet open, MixPhase phase) throws IOException {
    double leastSeconds = leastTime.toNanos() / 1e9;
    int requests = phase.requests();
    for (int repeat = -repeats.warmUps(); repeat < repeats.measured(); repeat++) {
      double fastestSeconds = leastSeconds;
      for (OpenArm arm : open.inTurn(Math.abs(repeat))) {
        BlockResult block = block(context, phase, requests, repeat, arm);
        fastestSeconds = Math.min(fastestSeconds, block.seconds());
        if (repeat >= 0) {
          context.measured(block);
        }
      }
      if (repeat < 0 && fastestSeconds < leastSeconds) {
        requests = Repeats.enoughRequests(requests, fastestSeconds, leastSeconds);
      }
    }
  }

  private BlockResult block(
      StageContext context, MixPhase phase, int requests, int repeat, OpenArm arm)
      throws IOException {
    String label = "%s %s %d".formatted(arm.name(), phase.name(), repeat + 1);
    TierRequests drawn =
        TierRequests.zipfian(
            shape.objects(), requests, phase.writeShare(), context.seed() + 31L * repeat);
    try (TierClient client = arm.client(connections, depth);
        TierSampler sampler =
            context
                .sampling(repeat)
                .begin(arm, phase.name(), client.watch(), Sampling.Work.ANSWERS)) {
      KeyCheck check = new KeyCheck();
      BlockMeter meter = BlockMeter.begin(arm);
      ClientOutcome outcome = client.run(drawn, check, context.progress().step(label, requests));
      context.record().add(CheckOutcome.NONE.plusWrong(check.wrong()));
      BlockMeter.Work work =
          new BlockMeter.Work(
              outcome.operations(), outcome.failed(), outcome.nanos(), outcome.latencies());
      BlockResult block = meter.end(phase.name(), repeat, work, Map.of());
      sampler.end(block);
      return block;
    }
  }
}
