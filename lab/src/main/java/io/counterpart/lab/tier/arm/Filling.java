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
   * @return a block with the bytes of values and those of the servers' memory
   * @throws IOException if the proxy does not answer, or if all objects are stored
   */
  public static BlockResult run(OpenArm arm, String phase, LongConsumer progress)
      throws IOException {
    BlockMeter meter = BlockMeter.begin(arm);
    long stored = 0;
    long nanos = 0;
    boolean isFull = false;
    try (TierClient client = arm.client(1, DEPTH)) {
      for (int from = 0; from < arm.data().objects() && !isFull; from += STEP) {
        int end = Math.min(arm.data().objects(), from + STEP);
        ClientOutcome outcome =
            client.run(TierRequests.writes(from, end), new KeyCheck(), done -> {});
        stored += outcome.operations();
        nanos += outcome.nanos();
        isFull = outcome.failed() > 0;
        progress.accept(stored);
      }
    }
    if (!isFull) {
      throw new IOException("%s has stored all %d objects".formatted(arm.name(), stored));
    }
    Map<String, Long> bytes =
        Map.of(
            Counters.OBJECT_BYTES,
            stored * arm.data().valueBytes(),
            Counters.MEMORY_BYTES,
            arm.servers().count() * arm.shape().memoryMegabytes() * MIB);
    return meter.end(phase, 0, new BlockMeter.Work(stored, 0, nanos, Map.of()), bytes);
  }
}
