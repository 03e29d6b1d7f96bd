package io.counterpart.lab.tier.arm;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongConsumer;

/** Puts objects into an arm, through its proxy, until one is refused. Stateless. */
public final class Filling {
  private static final int DEPTH = 8;

  /** Objects between two looks for a refused one. */
  private static final int STEP = 64;

  private static final long MIB = 1 << 20;

  private Filling() {}

  /**
   * Writes objects in order, up to the first refused one, or all.
   *
   * @param sampling of the block
   * @return a block with the bytes of values and those of the servers' memory
   * @throws IOException if the proxy does not answer, or if all objects are stored
   */
  public static BlockResult run(OpenArm arm, String phase, LongConsumer progress, Sampling sampling)
      throws IOException {
    BlockMeter meter = BlockMeter.begin(arm);
    try (TierClient client = arm.client(1, DEPTH);
        TierSampler sampler = sampling.begin(arm, phase, client.watch(), Sampling.Work.ANSWERS)) {
      Stored stored = fill(arm, client, progress);
      Map<String, Long> bytes =
          Map.of(
              Counters.OBJECT_BYTES,
              stored.objects() * arm.data().valueBytes(),
              Counters.MEMORY_BYTES,
              arm.servers().count() * arm.shape().memoryMegabytes() * MIB);
      BlockResult block =
          meter.end(
              phase, 0, new BlockMeter.Work(stored.objects(), 0, stored.nanos(), Map.of()), bytes);
      sampler.end(block);
      return block;
    }
  }

  /** What was written, and the time that it took. */
  private record Stored(long objects, long nanos) {}

  private static Stored fill(OpenArm arm, TierClient client, LongConsumer progress)
      throws IOException {
    long stored = 0;
    long nanos = 0;
    for (int from = 0; from < arm.data().objects(); from += STEP) {
      int end = Math.min(arm.data().objects(), from + STEP);
      ClientOutcome outcome =
          client.run(TierRequests.writes(from, end), new KeyCheck(), done -> {});
      stored += outcome.operations();
      nanos += outcome.nanos();
      progress.accept(stored);
      if (outcome.failed() > 0) {
        return new Stored(stored, nanos);
      }
    }
    throw new IOException("%s has stored all %d objects".formatted(arm.name(), stored));
  }
}
