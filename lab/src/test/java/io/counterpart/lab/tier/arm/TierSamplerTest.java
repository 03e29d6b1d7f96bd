package io.counterpart.lab.tier.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.ArmServers;
import io.counterpart.lab.tier.client.ClientWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TierSamplerTest {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<Sample> samples = new CopyOnWriteArrayList<>();
  private final List<ArmServers> servers = new CopyOnWriteArrayList<>();
  private final Sampling sampling = new Sampling(System.nanoTime(), samples::add, servers::add);
  private final ClientWatch watch = new ClientWatch();
  private final InventedTier tier = new InventedTier();

  @Test
  void a_block_that_is_shorter_than_the_period_has_one_sample_of_all_of_it() throws IOException {
    long began;
    do {
      samples.clear();
      servers.clear();
      began = System.nanoTime();
      readABlock();
      // a machine that stood still meanwhile has made it longer
    } while (System.nanoTime() - began >= PERIOD.toNanos());

    assertThat(samples).hasSize(1);
    Sample sample = samples.get(0);
    assertThat(sample.arm()).isEqualTo("echash");
    assertThat(sample.phase()).isEqualTo("read");
    assertThat(sample.operationsPerSecond()).isEqualTo(30 / 0.05, within(1e-6));
    assertThat(sample.measures())
        .containsEntry(SampledMeasure.P99_MICROS, 200.0)
        .containsEntry(SampledMeasure.HIT_RATIO, 0.75)
        .containsEntry(SampledMeasure.SERVER_BYTES, 64.0)
        .containsEntry(SampledMeasure.MOVED_BYTES, 1_000.0)
        .containsEntry(SampledMeasure.RESTORED_BYTES, 0.0);
    assertThat(servers).as("at the beginning, and with the sample").hasSize(2);
  }

  private void readABlock() throws IOException {
    tier.count(Map.of(ShardCounters.MOVED_BYTES, 1_000L));
    try (TierSampler sampler = sampling.begin(tier, "read", watch, Sampling.Work.ANSWERS)) {
      for (int i = 0; i < 40; i++) {
        watch.read(i % 4 > 0, 200);
      }
      tier.count(Map.of(ShardCounters.MOVED_BYTES, 1_050L));
      sampler.end(block(0.05));
    }
  }

  @Test
  void the_throughput_of_a_repair_is_what_it_restores() throws IOException {
    try (TierSampler sampler = sampling.begin(tier, "repair", watch, Sampling.Work.RESTORED)) {
      tier.count(
          Map.of(
              ShardCounters.RESTORED_OBJECTS,
              6L,
              ShardCounters.RESTORED_PARITY,
              4L,
              ShardCounters.RESTORED_PARITY_BYTES,
              500L));

      await().atMost(Duration.ofSeconds(30)).until(() -> samples.size() >= 3);
      sampler.close();
      int before = samples.size();
      sampler.end(block(1));
      assertThat(samples).as("one that shows it done").hasSize(before + 1);
    }

    // the first one, unless the machine was too slow for that
    List<Sample> busy =
        samples.stream().filter(sample -> sample.operationsPerSecond() != 0).toList();
    assertThat(busy).hasSize(1);
    assertThat(busy.get(0).operationsPerSecond()).isPositive();
    assertThat(busy.get(0).measures().get(SampledMeasure.RESTORED_BYTES))
        .isEqualTo(50 * busy.get(0).operationsPerSecond(), within(1e-6));
    assertThat(busy.get(0).measures())
        .as("nobody reads meanwhile")
        .doesNotContainKeys(SampledMeasure.P99_MICROS, SampledMeasure.HIT_RATIO);
    assertThat(samples).isSortedAccordingTo((a, b) -> Double.compare(a.second(), b.second()));
  }

  private static BlockResult block(double seconds) {
    return new BlockResult(
        "echash", "read", 0, 30, 10, seconds, Map.of(), NodeCost.ofCpu(Duration.ZERO));
  }

  /** A tier of numbers. */
  private static final class InventedTier implements SampledTier {
    private volatile Map<String, Long> counted = Map.of(ShardCounters.MOVED_OBJECTS, 0L);

    /** Changes some numbers at once. */
    void count(Map<String, Long> numbers) {
      Map<String, Long> next = new HashMap<>(counted);
      next.putAll(numbers);
      counted = Map.copyOf(next);
    }

    @Override
    public String name() {
      return "echash";
    }

    @Override
    public Reading read() {
      return new Reading(
          counted, Map.of(SampledMeasure.SERVER_BYTES, 64.0), new ArmServers("echash", List.of()));
    }
  }
}
