package io.counterpart.lab.result.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.report.ComparisonTables;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LabResultOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void finds_more_less_and_no_difference() {
    LabResult a = LabResultOf.blocks(7, 150, 1);
    LabResult b = LabResultOf.blocks(7, 300, 2);

    List<ArmComparison> arms = Comparison.of(a, b).arms();

    assertThat(arms).extracting(ArmComparison::arm).containsExactly("lcs", "decoupled");
    assertThat(arms).extracting(ArmComparison::verdict).containsExactly("no difference", "more");
    assertThat(arms.get(1).throughputRatio().median()).isBetween(1.85, 2.15);
    assertThat(Comparison.of(b, a).arms())
        .extracting(ArmComparison::verdict)
        .containsExactly("no difference", "less");
  }

  @Test
  void latencies_come_from_merged_histograms_and_costs_from_blocks() {
    LabResult a = LabResultOf.blocks(7, 150, 1);

    ArmMeasures measures = Comparison.of(a, a).arms().get(0).a();

    List<BlockResult> blocks =
        a.blocks().stream().filter(block -> block.arm().equals("lcs")).toList();
    assertThat(measures.p99Micros())
        .isEqualTo(BlockResult.mergedLatencies(blocks).getValueAtPercentile(99));
    assertThat(measures.blocks()).isEqualTo(7);
    assertThat(measures.cpuSeconds()).isEqualTo(1.5);
    assertThat(measures.bytesCompacted()).isEqualTo(2_000_000);
  }

  @Test
  void published_runs_have_no_latencies_rather_than_none_of_length() {
    LabResult published = LabResultOf.blocks(7, 150, 1).published();

    assertThat(ComparisonTables.text(Comparison.of(published, published), "a", "b"))
        .containsPattern("lcs +- +- +- +- +1\\.5 ");
  }

  @Test
  void runs_of_the_memory_tier_are_compared_by_their_traffic() {
    LabResult plain = LabResultOf.blocks(3, 150, 1);
    LabResult a = counted(plain, 2_000_000);
    LabResult b = counted(plain, 5_000_000);

    Comparison comparison = Comparison.of(a, b);

    assertThat(comparison.arms().get(0).a().trafficBytes()).isEqualTo(2_000_000);
    assertThat(comparison.arms().get(0).b().ownCpuSeconds()).isEqualTo(0.25);
    assertThat(ComparisonTables.text(comparison, "a", "b"))
        .contains("A traffic MB", "2.0", "5.0", "CPU and traffic: median of a block")
        .doesNotContain("compacted");
    assertThat(ComparisonTables.text(Comparison.of(plain, plain), "a", "b"))
        .contains("A compacted MB")
        .doesNotContain("traffic");
  }

  private static LabResult counted(LabResult plain, long trafficBytes) {
    List<BlockResult> blocks =
        plain.blocks().stream()
            .map(
                block ->
                    block.withCounters(
                        Map.of(
                            Counters.TRAFFIC_BYTES,
                            trafficBytes,
                            Counters.PROCESS_CPU_MICROS,
                            250_000L)))
            .toList();
    return LabResultOf.result(plain.experiment(), plain.config(), blocks);
  }

  @Test
  void names_every_setting_that_differs_and_no_other() {
    LabResult a = LabResultOf.blocks(1, 150, 1);
    Map<String, Object> config = LabResultOf.config();
    config.put("seed", 1L);
    config.put("cores", 8);
    config.put("yaml", Map.of("concurrent_reads", 32));
    LabResult b = LabResultOf.result("depart-exp1", config, a.blocks());

    assertThat(Comparison.of(a, b).differences())
        .containsExactly(
            new Difference("cores", "2", "8"),
            new Difference("yaml.concurrent_reads", "4", "32"),
            new Difference("yaml.dynamic_snitch", "false", "(none)"));
    assertThat(Comparison.of(a, a).differences()).isEmpty();
  }

  @Test
  void names_what_only_one_run_has() {
    LabResult a = LabResultOf.blocks(1, 150, 1);
    LabResult b = LabResultOf.result("depart-exp1", a.config(), a.blocks().subList(0, 1));

    assertThat(Comparison.of(a, b).onlyInA()).containsExactly("read decoupled");
    assertThat(Comparison.of(b, a).onlyInB()).containsExactly("read decoupled");
    assertThat(Comparison.of(a, b).arms()).hasSize(1);
  }

  @Test
  void recoveries_are_compared_by_their_time() {
    LabResult a = recoveries(4.0, 4.4, 4.2);
    LabResult b = recoveries(2.0, 2.2, 2.1);

    Comparison comparison = Comparison.of(a, b);

    assertThat(comparison.arms()).isEmpty();
    RecoveryComparison recovery = comparison.recoveries().get(0);
    assertThat(recovery.secondsRatio().median()).isEqualTo(0.5);
    assertThat(recovery.verdict()).isEqualTo("less");
    assertThat(recovery.wholeFractionB()).isEqualTo(0.75);
    assertThat(ComparisonTables.text(comparison, "a", "b"))
        .contains("recover_1 lcs+repair", "0.500", "75 %")
        .doesNotContain("ops/s");
  }

  /** Recoveries of the given seconds, followed by a verification that is not part of them. */
  private static LabResult recoveries(double... seconds) {
    List<BlockResult> blocks = new ArrayList<>();
    for (double each : seconds) {
      blocks.add(
          new BlockResult(
                  "lcs+repair",
                  "recover_1",
                  blocks.size(),
                  0,
                  0,
                  each,
                  Map.of(),
                  LabResultOf.block("lcs", "read", 0, 1, new SplittableRandom(1)).server())
              .withParts(
                  Map.of(BlockResult.STREAM, each, BlockResult.VERIFY, 9.0),
                  Map.of(BlockResult.WHOLE, 3L, BlockResult.SECTIONS, 1L)));
    }
    return LabResultOf.result("depart-exp6", LabResultOf.config(), blocks);
  }

  @Test
  void refuses_what_cannot_be_compared() {
    LabResult a = LabResultOf.blocks(1, 150, 1);
    LabResult other = LabResultOf.result("depart-exp2", a.config(), a.blocks());
    BlockResult block = LabResultOf.block("lcs", "scan", 0, 100, new SplittableRandom(1));
    LabResult apart = LabResultOf.result("depart-exp1", a.config(), List.of(block));

    assertThatThrownBy(() -> Comparison.of(a, other))
        .hasMessage("different experiments: A is depart-exp1, B is depart-exp2");
    assertThatThrownBy(() -> Comparison.of(a, apart))
        .hasMessageContaining("no phase and arm in common", "read lcs", "scan lcs");
  }

  @Test
  void tells_figures_whose_intervals_lie_apart() {
    LabResult a = LabResultOf.blocks(1, 150, 1);

    assertThat(Comparison.of(a, a).figures())
        .singleElement()
        .satisfies(figure -> assertThat(figure.overlap()).isTrue());
  }
}
