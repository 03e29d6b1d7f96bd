package io.counterpart.lab.experiment;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.plan.Aim;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.plan.Bound;
import io.counterpart.lab.tier.MixPhase;
import io.counterpart.lab.tier.ShardsStage;
import io.counterpart.lab.tier.TierExperiment;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import java.util.List;

/** The experiment on shards, which the papers have not. Stateless. */
final class EchashShards {
  private static final CodeShape SHORT_CODE = new CodeShape(3, 2);
  private static final int MOST_SHARDS = 4;

  /** Twice 16 MiB for requests of each shard are a quarter of it. */
  private static final int SHARDS_HEAP = 640;

  private static final String SHARD_READS = "shards_read";
  private static final String SHARD_UPDATES = "shards_update";
  private static final int SMALLEST_VALUE = 64;

  private EchashShards() {}

  /** One, two and four shards. */
  static TierExperiment shards(LabScale scale) {
    EchashScale size = EchashScale.of(scale);
    return new TierExperiment(
        "echash-shards",
        "beyond ECHash",
        "Requests to tiers of one, two and four shards, on as many servers and processors",
        List.of(
            new ShardsStage(
                new TierShape(
                    SHORT_CODE,
                    MOST_SHARDS * SHORT_CODE.n(),
                    size.smallObjects(),
                    SMALLEST_VALUE,
                    TierNetwork.DIRECT),
                List.of(1, 2, MOST_SHARDS),
                List.of(
                    new MixPhase(SHARD_READS, 0, size.requests()),
                    new MixPhase(SHARD_UPDATES, 1, size.requests())),
                SHARDS_HEAP,
                size.repeats(),
                size.leastBlock())),
        List.of(
            ofShards("ec.shards_2_reads", 2, SHARD_READS),
            ofShards("ec.shards_2_updates", 2, SHARD_UPDATES),
            ofShards("ec.shards_4_reads", MOST_SHARDS, SHARD_READS),
            ofShards("ec.shards_4_updates", MOST_SHARDS, SHARD_UPDATES)));
  }

  private static Aim ofShards(String id, int shards, String phase) {
    return new Aim.Ratio(
        id,
        List.of(phase),
        BlockMeasure.THROUGHPUT,
        ShardsStage.arm(shards),
        ShardsStage.arm(1),
        Bound.atLeast(0.9),
        "");
  }
}
