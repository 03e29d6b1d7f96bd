package io.counterpart.lab.tier;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.tier.arm.SeparateProxy;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierReadBack;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import java.io.IOException;
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
            shape, context.directory().resolve(name()), heapMegabytes, context.seed())) {
      write(context, proxy, LOAD, TierRequests.all(objects, true));
      for (int repeat = 0; repeat < restarts; repeat++) {
        int writes = Math.max(1, objects / SHARE_WRITTEN);
        write(
            context,
            proxy,
            "",
            TierRequests.zipfian(objects, writes, 1, context.seed() + 31L * repeat));
        proxy.kill();
        context.measured(restarted(proxy, repeat));
      }
      try (TierClient client = proxy.client(CONNECTIONS, DEPTH)) {
        LongConsumer progress = context.progress().step(ARM + " check", objects);
        context.checked(TierReadBack.of(ARM, proxy.data(), client, progress));
      }
    }
  }

  /**
   * Writes objects.
   *
   * @param phase of the block; none if empty
   */
  private void write(StageContext context, SeparateProxy proxy, String phase, TierRequests requests)
      throws IOException {
    LongConsumer progress =
        phase.isEmpty() ? done -> {} : context.progress().step(phase, requests.count());
    try (TierClient client = proxy.client(CONNECTIONS, DEPTH)) {
      ClientOutcome outcome = client.run(requests, new KeyCheck(), progress);
      if (outcome.failed() > 0) {
        throw new IOException(
            "%d of %d writes were refused".formatted(outcome.failed(), requests.count()));
      }
      if (!phase.isEmpty()) {
        context.measured(block(proxy, phase, 0, outcome.operations(), outcome.nanos(), outcome));
      }
    }
  }

  private BlockResult restarted(SeparateProxy proxy, int repeat) throws IOException {
    long start = System.nanoTime();
    proxy.start();
    try (TierClient client = proxy.client(1, 1)) {
      KeyCheck check = new KeyCheck();
      ClientOutcome outcome = client.run(TierRequests.reads(List.of(0)), check, done -> {});
      long nanos = System.nanoTime() - start;
      if (outcome.failed() > 0 || check.wrong() > 0) {
        throw new IOException("the first object after a restart is not there");
      }
      return block(proxy, PHASE, repeat, objects, nanos, outcome);
    }
  }

  /** A block with what the proxy's process has cost since its start. */
  private BlockResult block(
      SeparateProxy proxy,
      String phase,
      int repeat,
      long operations,
      long nanos,
      ClientOutcome outcome)
      throws IOException {
    Map<String, Long> counters =
        Map.of("proxyBytes", proxy.processBytes(), "logBytes", proxy.logBytes());
    return new BlockResult(
            ARM,
            phase,
            repeat,
            operations,
            0,
            nanos / NANOS,
            outcome.latencies(),
            NodeCost.ofCpu(proxy.cpu()))
        .withCounters(counters);
  }
}
