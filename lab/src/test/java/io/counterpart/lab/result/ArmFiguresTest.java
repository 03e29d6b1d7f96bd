package io.counterpart.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArmFiguresTest {
  @Test
  void reads_a_round_from_its_blocks() {
    ArmFigures figures = ArmFigures.of(round("lcs", 0, 4));

    assertThat(figures.bytesFlushed()).isEqualTo(300);
    assertThat(figures.bytesCompacted()).isEqualTo(900);
    assertThat(figures.writeAmplification()).isEqualTo(4);
    assertThat(figures.writeOpsPerSecond()).isEqualTo(50);
    assertThat(figures.sustainedOpsPerSecond()).isEqualTo(40);
    assertThat(figures.sstablesPerReadMidLoad()).isEqualTo(3);
    assertThat(figures.sstablesPerReadMean()).isEqualTo(2);
    assertThat(figures.writeP99Millis()).isEqualTo(7);
    assertThat(figures.diskBytes()).isEqualTo(1000);
    assertThat(figures.recoverySeconds()).isEqualTo(5);
    assertThat(figures.zeroCopyFraction()).isEqualTo(0.75);
    assertThat(figures.recoveredBytes()).isEqualTo(80);
    assertThat(figures.disagreeingReads()).isEqualTo(6);
  }

  @Test
  void takes_medians_over_the_rounds_that_an_arm_was_in() {
    List<Map<String, ArmFigures>> rounds =
        List.of(
            ArmFigures.byArm(round("lcs", 0, 4)),
            ArmFigures.byArm(round("lcs", 1, 16)),
            ArmFigures.byArm(round("other", 2, 1)));

    assertThat(ArmFigures.medians(rounds).get("lcs").loadSeconds()).isEqualTo(10);
    assertThat(ArmFigures.medians(rounds).get("other").loadSeconds()).isEqualTo(1);
  }

  @Test
  void misses_a_phase_aloud() {
    List<BlockResult> round = round("lcs", 0, 4).subList(0, 2);

    assertThatThrownBy(() -> ArmFigures.of(round)).hasMessageContaining("recovery");
  }

  private static List<BlockResult> round(String arm, int number, double loadSeconds) {
    BlockResult load =
        new BlockResult(
                arm,
                ArmFigures.LOAD,
                number,
                200,
                0,
                loadSeconds,
                Map.of("insert", new LatencySummary(200, 1, 7000, 8000, 9000, "")),
                cost(10, 300, 900, 3))
            .withCounters(Map.of(Counters.REPLICATED_BYTES, 300L));
    BlockResult drain =
        new BlockResult(arm, ArmFigures.DRAIN, number, 0, 0, 1, Map.of(), cost(0, 0, 0, 2))
            .withCounters(Map.of(Counters.DISK_BYTES, 1000L));
    BlockResult recovery =
        new BlockResult(arm, ArmFigures.RECOVERY, number, 0, 0, 5, Map.of(), cost(1, 0, 0, 0))
            .withParts(
                Map.of(BlockResult.STREAM, 5.0),
                Map.of(BlockResult.WHOLE, 60L, BlockResult.SECTIONS, 20L))
            .withCounters(Map.of(Counters.DISAGREEING_READS, 6L));
    return List.of(load, drain, recovery);
  }

  private static NodeCost cost(double cpu, long flushed, long compacted, double perRead) {
    return new NodeCost(cpu, -1, -1, flushed, compacted, perRead, 0, Map.of(), 0);
  }
}
