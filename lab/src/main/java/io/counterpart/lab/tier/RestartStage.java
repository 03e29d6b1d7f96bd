package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.tier.arm.BlockMeter;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.SeparateProxy;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierReadBack;
import io.counterpart.lab.tier.arm.TierSampler;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.ClientWatch;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Kills a proxy with many objects right after writes, which parity lacks then, and measures the
 * time from the start of the next one's process to the first value that it answers. In the end
 * every object is read back. The proxy has a process and a bounded heap of its own.
 *
 * @param servers of the tier
 * @param heapMegabytes of the proxy
 * @param restarts measured, 1 or more
 */
public record RestartStage(
    CodeShape code, int servers, int objects, int valueBytes, int heapMegabytes, int restarts)
    implements TierStage {
  /** Phase of the blocks. */
  public static final String PHASE = "restart";

  /** Phase of the block that writes the objects. */
  public static final String LOAD = "load_" + PHASE;

  private static final String ARM = TierArm.ECHASH.name();
  private static final double NANOS = 1e9;
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 64;

  /** Writes before a kill, a share of the objects. */
  private static final int SHARE_WRITTEN = 100;

  @Override
  public String name() {
    return PHASE;
  }

  @Override
  public List<String> armNames() {
    return List.of(ARM);
  }

  @Override
  public TierStage withArms(List<String> names) {
    return this;
  }

  @Override
  public int blocks() {
    return 1 + restarts;
  }

  @Override
  public void run(StageContext context) throws IOException {
    TierShape shape = new TierShape(code, servers, objects, valueBytes, TierNetwork.DIRECT);
    context.describe(this, shape, Map.of("proxyHeapMegabytes", heapMegabytes));
    try (SeparateProxy proxy =
        SeparateProxy.open(
            shape,
            new SeparateProxy.Setup(ARM, 1, heapMegabytes),
            context.directory().resolve(name()),
            context.seed())) {
      context.measured(load(context, proxy));
      int writes = Math.max(1, objects / SHARE_WRITTEN);
      for (int repeat = 0; repeat < restarts; repeat++) {
        long seed = context.seed() + 31L * repeat;
        update(proxy, TierRequests.zipfian(objects, writes, 1, seed));
        proxy.kill();
        context.progress().step("%s %s %d".formatted(ARM, PHASE, repeat + 1), 0);
        context.measured(restart(context, proxy, repeat));
      }
      try (TierClient client = proxy.client(CONNECTIONS, DEPTH)) {
        LongConsumer progress = context.progress().step(ARM + " check", objects);
        context.checked(TierReadBack.of(ARM, proxy.data(), client, progress));
      }
    }
  }

  private BlockResult load(StageContext context, SeparateProxy proxy) throws IOException {
    LongConsumer progress = context.progress().step(LOAD, objects);
    try (TierClient client = proxy.client(CONNECTIONS, DEPTH);
        TierSampler sampler =
            context.sampling().begin(proxy, LOAD, client.watch(), Sampling.Work.ANSWERS)) {
      Duration before = proxy.serversCpu();
      ClientOutcome loaded = write(client, TierRequests.all(objects, true), progress);
      BlockResult block = block(proxy, LOAD, 0, work(loaded, objects, loaded.nanos()), before);
      sampler.end(block);
      return block;
    }
  }

  private static void update(SeparateProxy proxy, TierRequests requests) throws IOException {
    try (TierClient client = proxy.client(CONNECTIONS, DEPTH)) {
      write(client, requests, done -> {});
    }
  }

  private static ClientOutcome write(
      TierClient client, TierRequests requests, LongConsumer progress) throws IOException {
    ClientOutcome outcome = client.run(requests, new KeyCheck(), progress);
    if (outcome.failed() > 0) {
      throw new IOException(
          "%d of %d writes were refused".formatted(outcome.failed(), requests.count()));
    }
    return outcome;
  }

  private BlockResult restart(StageContext context, SeparateProxy proxy, int repeat)
      throws IOException {
    try (TierSampler sampler =
        context.sampling().begin(proxy, PHASE, new ClientWatch(), Sampling.Work.ANSWERS)) {
      Duration before = proxy.serversCpu();
      BlockResult block = block(proxy, PHASE, repeat, restart(proxy), before);
      sampler.end(block);
      return block;
    }
  }

  private BlockMeter.Work restart(SeparateProxy proxy) throws IOException {
    long start = System.nanoTime();
    proxy.start();
    try (TierClient client = proxy.client(1, 1)) {
      KeyCheck check = new KeyCheck();
      ClientOutcome outcome = client.run(TierRequests.reads(List.of(0)), check, done -> {});
      long nanos = System.nanoTime() - start;
      if (outcome.failed() > 0 || check.wrong() > 0) {
        throw new IOException("the first object after a restart is not there");
      }
      return work(outcome, objects, nanos);
    }
  }

  private static BlockMeter.Work work(ClientOutcome outcome, long operations, long nanos) {
    return new BlockMeter.Work(operations, 0, nanos, outcome.latencies());
  }

  /**
   * A block with what the proxy's process has cost since its start.
   *
   * @param serversBefore processor time of the servers when it began
   */
  private static BlockResult block(
      SeparateProxy proxy, String phase, int repeat, BlockMeter.Work work, Duration serversBefore)
      throws IOException {
    Map<String, Long> counters =
        Map.of(
            "proxyBytes",
            proxy.processBytes(),
            "proxyCpuMicros",
            proxy.cpu().toNanos() / 1000,
            "logBytes",
            proxy.logBytes());
    return new BlockResult(
            ARM,
            phase,
            repeat,
            work.operations(),
            work.failed(),
            work.nanos() / NANOS,
            work.latencies(),
            NodeCost.ofCpu(proxy.serversCpu().minus(serversBefore)))
        .withCounters(counters);
  }
}
