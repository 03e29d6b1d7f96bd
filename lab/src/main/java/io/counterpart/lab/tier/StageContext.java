package io.counterpart.lab.tier;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.run.RunRecord;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.tier.arm.ArmSet;
import io.counterpart.lab.tier.arm.Loading;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.Sampling;
import io.counterpart.lab.tier.arm.TierArm;
import io.counterpart.lab.tier.arm.TierReadBack;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.database.LazyDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tools of a stage.
 *
 * @param seed repeats keys, values and their order
 * @param directory of the tiers' files
 * @param record the measurements so far
 * @param progress the display of the run's progress
 * @param listener hears of blocks and samples too
 * @param database behind the tiers, for baselines that need one
 */
public record StageContext(
    long seed,
    Path directory,
    RunRecord record,
    Progress progress,
    RunListener listener,
    LazyDatabase database) {
  /** Opens the arms of a stage side by side, each on its own servers. */
  ArmSet open(TierStage stage, List<TierArm> arms, TierShape shape, int spares) throws IOException {
    ArmSet open = ArmSet.open(arms, shape, spares, directory.resolve(stage.name()), seed);
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("serversAdded", spares);
    if (!shape.network().isDirect()) {
      // what a round trip of one request really takes, the relay's own time included
      described.put("roundTripMicrosMeasured", open.all().get(0).servers().roundTripMicros());
    }
    describe(stage, shape, described);
    return open;
  }

  /** Describes a stage in the result. */
  void describe(TierStage stage, TierShape shape, Map<String, Object> more) {
    Map<String, Object> described = new LinkedHashMap<>(shape.describe());
    described.putAll(more);
    record.describe("stages", Map.of(stage.name(), described));
  }

  /** Records a measured block. */
  public void measured(BlockResult block) {
    record.add(block);
    listener.measured(block);
  }

  /** Where the samples of measured blocks go. */
  Sampling sampling() {
    return new Sampling(record.startNanos(), this::sampled, listener::served);
  }

  /** The same for a block that is a warm-up if its number is below 0: it is not sampled. */
  Sampling sampling(int repeat) {
    return repeat < 0 ? Sampling.none() : sampling();
  }

  private void sampled(Sample sample) {
    record.add(sample);
    listener.sampled(sample);
  }

  /** Records a measured block that is its own sample. */
  public void measured(BlockResult block, Map<String, Double> measures) {
    double second = sampling().second(System.nanoTime());
    sampled(
        Sample.ofTier(second, block.arm(), block.phase(), block.operationsPerSecond(), measures));
    measured(block);
  }

  /** Writes all objects of arms, through their proxies. */
  void load(ArmSet arms, String phase) throws IOException {
    for (OpenArm arm : arms.all()) {
      String label = "%s %s".formatted(arm.name(), phase);
      measured(Loading.run(arm, phase, progress.step(label, arm.data().objects()), sampling()));
    }
  }

  /** Reads back all objects of arms, through their proxies. */
  void readBack(ArmSet arms) throws IOException {
    for (OpenArm arm : arms.all()) {
      checked(TierReadBack.of(arm, progress.step(arm.name() + " check", arm.data().objects())));
    }
  }

  /** Records what a read-back found. */
  void checked(CheckOutcome outcome) {
    outcome.examples().forEach(progress::say);
    record.add(outcome);
  }
}
