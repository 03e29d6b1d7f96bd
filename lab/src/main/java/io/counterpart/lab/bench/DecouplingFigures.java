package io.counterpart.lab.bench;

import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.stats.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The figures of merit of decoupling: paired ratios within a round, then the median over the
 * rounds.
 *
 * <p>A ratio between medians would mix rounds; a ratio within a round cancels the machine's state
 * in that round.
 */
final class DecouplingFigures {
  private static final List<Aim> AIMS =
      List.of(
          atMost("dec.compaction_vs_lcs", Arm.DECOUPLED_L10, Arm.LCS, 0.33, "0.48 (paper)")
              .of(ArmFigures::bytesCompacted),
          atMost("dec.compaction_vs_ucs_l10", Arm.DECOUPLED_L10, Arm.UCS_L10, 0.5, "0.65 (trial)")
              .of(ArmFigures::bytesCompacted)
              .withoutCostlierReads(),
          atMost("dec.compaction_vs_ucs_t4", Arm.DECOUPLED_T4, Arm.UCS_T4, 0.6, "0.76 (trial)")
              .of(ArmFigures::bytesCompacted)
              .withoutCostlierReads(),
          atMost("dec.sstable_files", Arm.DECOUPLED_T4, Arm.UCS_T4, 2, "5 (trial)")
              .of(ArmFigures::files),
          atMost("dec.cpu_vs_lcs", Arm.DECOUPLED_L10, Arm.LCS, 0.6, "0.67 (trial)")
              .of(ArmFigures::cpuSeconds),
          atLeast("dec.writes_vs_lcs", Arm.DECOUPLED_L10, Arm.LCS, 1.5, "1.43 (paper)")
              .of(ArmFigures::writeOpsPerSecond),
          atMost("dec.memtable_vs_stock", Arm.DECOUPLED_L10, Arm.LCS, 1.05, "2.0 (paper)")
              .of(ArmFigures::memtableBytesMean),
          atMost("dec.disk_vs_stock", Arm.DECOUPLED_L10, Arm.LCS, 1.07, "1.067 (paper)")
              .of(ArmFigures::diskBytes),
          atMost("dec.recovery_vs_lcs", Arm.DECOUPLED_L10, Arm.LCS, 0.4, "0.46-0.62 (paper)")
              .of(ArmFigures::recoverySeconds),
          atLeast("dec.zero_copy_share", Arm.DECOUPLED_L10, "", 0.9, "")
              .of(ArmFigures::zeroCopyFraction));

  private DecouplingFigures() {}

  /** Every figure whose arms took part; low and high are the extremes of the rounds. */
  static List<LabFigure> of(List<Map<String, ArmFigures>> rounds, String scale) {
    return AIMS.stream().map(aim -> aim.figure(rounds, scale)).flatMap(Optional::stream).toList();
  }

  /** Whether a figure compares the arm with another. */
  static boolean compares(Arm arm) {
    return AIMS.stream()
        .anyMatch(aim -> aim.arm().equals(arm.name()) || aim.peer().equals(arm.name()));
  }

  private static Aim atMost(String id, String arm, String peer, double bound, String paper) {
    return new Aim(id, arm, peer, true, bound, paper, ArmFigures::bytesCompacted, false);
  }

  private static Aim atLeast(String id, String arm, String peer, double bound, String paper) {
    return new Aim(id, arm, peer, false, bound, paper, ArmFigures::bytesCompacted, false);
  }

  /**
   * One figure's definition.
   *
   * @param peer the arm to divide by, or empty for a figure that is no ratio
   * @param readsBound whether reads must not merge more sstables than the peer's
   */
  private record Aim(
      String id,
      String arm,
      String peer,
      boolean atMost,
      double bound,
      String paper,
      ToDoubleFunction<ArmFigures> value,
      boolean readsBound) {

    Aim of(ToDoubleFunction<ArmFigures> newValue) {
      return new Aim(id, arm, peer, atMost, bound, paper, newValue, readsBound);
    }

    Aim withoutCostlierReads() {
      return new Aim(id, arm, peer, atMost, bound, paper, value, true);
    }

    Optional<LabFigure> figure(List<Map<String, ArmFigures>> rounds, String scale) {
      boolean present =
          !rounds.isEmpty()
              && rounds.stream()
                  .allMatch(
                      round ->
                          round.containsKey(arm) && (peer.isEmpty() || round.containsKey(peer)));
      if (!present) {
        return Optional.empty();
      }
      Interval spread = spread(rounds, value);
      boolean reached = atMost ? spread.median() <= bound : spread.median() >= bound;
      String note = "";
      if (readsBound) {
        double midLoad = spread(rounds, ArmFigures::sstablesPerReadMidLoad).median();
        double drained = spread(rounds, ArmFigures::sstablesPerReadMean).median();
        reached &= twoDecimals(midLoad) <= 1 && twoDecimals(drained) <= 1;
        note =
            String.format(
                Locale.ROOT,
                "asked at a ratio of sstables per read of at most 1.00: mid-load %.2f, drained %.2f",
                midLoad,
                drained);
      }
      return Optional.of(
          new LabFigure(
              id,
              spread.median(),
              spread.low(),
              spread.high(),
              peer.isEmpty() ? "share" : "ratio",
              peer.isEmpty() ? List.of(arm) : List.of(arm, peer),
              scale,
              bound,
              reached,
              paper,
              peer.isEmpty() ? "measured" : spread.verdict(),
              atMost,
              note));
    }

    private Interval spread(List<Map<String, ArmFigures>> rounds, ToDoubleFunction<ArmFigures> of) {
      return Interval.ofExtremes(
          rounds.stream()
              .mapToDouble(
                  round -> {
                    double own = of.applyAsDouble(present(round, arm));
                    return peer.isEmpty() ? own : own / of.applyAsDouble(present(round, peer));
                  })
              .toArray());
    }

    private static ArmFigures present(Map<String, ArmFigures> round, String name) {
      ArmFigures figures = round.get(name);
      if (figures == null) {
        throw new IllegalArgumentException("arm '%s' is not in the round".formatted(name));
      }
      return figures;
    }

    // means of thousands of reads: the third decimal is noise
    private static double twoDecimals(double value) {
      return Math.round(value * 100) / 100.0;
    }
  }
}
