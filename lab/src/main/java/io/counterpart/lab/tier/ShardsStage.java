package io.counterpart.lab.tier;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.SeparateProxy;
import io.counterpart.lab.tier.arm.TierReadBack;
import io.counterpart.lab.tier.arm.TierSampler;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The same requests to tiers that differ in their number of shards, each on as many servers behind
 * a proxy with a process of its own. Shards are faster where that process has free processors. The
 * client is one thread, which bounds what can be seen.
 *
 * @param shape of each tier; its servers suffice for the most shards
 * @param shards of the arms
 * @param phases one after the other
 * @param heapMegabytes of each proxy
 * @param repeats of each phase
 * @param leastTime of a measured block, if its requests take less
 */
public record ShardsStage(
    TierShape shape,
    List<Integer> shards,
    List<MixPhase> phases,
    int heapMegabytes,
    Repeats repeats,
    Duration leastTime)
    implements TierStage {
  private static final String NAME = "shards";
  private static final String LOAD = "load_" + NAME;
  private static final double NANOS = 1e9;
  private static final int CONNECTIONS = 16;
  private static final int DEPTH = 32;

  /** Copies the lists. */
  public ShardsStage {
    shards = List.copyOf(shards);
    phases = List.copyOf(phases);
  }

  /** Name of the arm with so many shards. */
  public static String arm(int shards) {
    return NAME + "_" + shards;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> armNames() {
    return shards.stream().map(ShardsStage::arm).toList();
  }

  @Override
  public TierStage withArms(List<String> names) {
    List<Integer> chosen = shards.stream().filter(number -> names.contains(arm(number))).toList();
    return new ShardsStage(shape, chosen, phases, heapMegabytes, repeats, leastTime);
  }

  @Override
  public int blocks() {
    return shards.size() * (1 + phases.size() * repeats.measured());
  }

  @Override
  public void run(StageContext context) throws IOException {
    context.describe(
        this,
        shape,
        Map.of(
            "proxyHeapMegabytes",
            heapMegabytes,
            "processors",
            Runtime.getRuntime().availableProcessors()));
    List<SeparateProxy> arms = new ArrayList<>();
    try {
      for (int number : shards) {
        SeparateProxy.Setup setup = new SeparateProxy.Setup(arm(number), number, heapMegabytes);
        arms.add(
            SeparateProxy.open(
                shape, setup, context.directory().resolve(setup.arm()), context.seed()));
      }
      for (SeparateProxy arm : arms) {
        context.measured(block(context, arm, LOAD, 0, TierRequests.all(shape.objects(), true)));
      }
      for (MixPhase phase : phases) {
        run(context, arms, phase);
      }
      for (SeparateProxy arm : arms) {
        readBack(context, arm);
      }
    } finally {
      for (SeparateProxy arm : arms) {
        arm.close();
      }
    }
  }

  /** Blocks of all arms have as many requests, so many that the fastest takes the least time. */
  private void run(StageContext context, List<SeparateProxy> arms, MixPhase phase)
      throws IOException {
    double leastSeconds = leastTime.toNanos() / NANOS;
    int requests = phase.requests();
    List<SeparateProxy> turn = new ArrayList<>(arms);
    for (int repeat = -repeats.warmUps(); repeat < repeats.measured(); repeat++) {
      double fastestSeconds = leastSeconds;
      for (SeparateProxy arm : turn) {
        TierRequests drawn =
            TierRequests.zipfian(
                shape.objects(), requests, phase.writeShare(), context.seed() + 31L * repeat);
        BlockResult block = block(context, arm, phase.name(), repeat, drawn);
        fastestSeconds = Math.min(fastestSeconds, block.seconds());
        if (repeat >= 0) {
          context.measured(block);
        }
      }
      Collections.reverse(turn);
      if (repeat < 0 && fastestSeconds < leastSeconds) {
        requests = Repeats.enoughRequests(requests, fastestSeconds, leastSeconds);
      }
    }
  }

  private BlockResult block(
      StageContext context, SeparateProxy arm, String phase, int repeat, TierRequests requests)
      throws IOException {
    String label = "%s %s %d".formatted(arm.name(), phase, repeat + 1);
    try (TierClient client = arm.client(CONNECTIONS, DEPTH);
        TierSampler sampler =
            context.sampling(repeat).begin(arm, phase, client.watch(), Sampling.Work.ANSWERS)) {
      Duration proxyBefore = arm.cpu();
      Duration serversBefore = arm.serversCpu();
      KeyCheck check = new KeyCheck();
      ClientOutcome outcome =
          client.run(requests, check, context.progress().step(label, requests.count()));
      context.record().add(CheckOutcome.NONE.plusWrong(check.wrong()));
      BlockResult block =
          new BlockResult(
                  arm.name(),
                  phase,
                  repeat,
                  outcome.operations(),
                  outcome.failed(),
                  outcome.nanos() / NANOS,
                  outcome.latencies(),
                  NodeCost.ofCpu(arm.serversCpu().minus(serversBefore)))
              .withCounters(
                  Map.of("proxyCpuMicros", arm.cpu().minus(proxyBefore).toNanos() / 1000));
      sampler.end(block);
      return block;
    }
  }

  private static void readBack(StageContext context, SeparateProxy arm) throws IOException {
    try (TierClient client = arm.client(CONNECTIONS, DEPTH)) {
      context.checked(
          TierReadBack.of(
              arm.name(),
              arm.data(),
              client,
              context.progress().step(arm.name() + " check", arm.data().objects())));
    }
  }
}
