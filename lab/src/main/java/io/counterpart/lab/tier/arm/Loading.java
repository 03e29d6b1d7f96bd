package io.counterpart.lab.tier.arm;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.tier.client.ClientOutcome;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierRequests;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongConsumer;

/** Puts every object into an arm, through its proxy. Stateless. */
public final class Loading {
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 32;

  private Loading() {}

  /**
   * Writes every object once, and folds all journals; the block's time excludes the folding.
   *
   * @param sampling of the block
   * @throws IOException if an object is not stored
   */
  public static BlockResult run(OpenArm arm, String phase, LongConsumer progress, Sampling sampling)
      throws IOException {
    BlockMeter meter = BlockMeter.begin(arm);
    try (TierClient client = arm.client(CONNECTIONS, DEPTH);
        TierSampler sampler = sampling.begin(arm, phase, client.watch(), Sampling.Work.ANSWERS)) {
      TierRequests writes = TierRequests.all(arm.data().objects(), true);
      ClientOutcome outcome = client.run(writes, new KeyCheck(), progress);
      if (outcome.failed() > 0) {
        throw new IOException(
            "%s: %d of %d objects were not stored"
                .formatted(arm.name(), outcome.failed(), arm.data().objects()));
      }
      BlockMeter.Work work =
          new BlockMeter.Work(outcome.operations(), 0, outcome.nanos(), outcome.latencies());
      BlockResult block = meter.end(phase, 0, work, Map.of());
      sampler.end(block);
      arm.tier().fold();
      return block;
    }
  }
}
