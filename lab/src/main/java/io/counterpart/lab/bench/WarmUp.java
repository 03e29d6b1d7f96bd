package io.counterpart.lab.bench;

import io.counterpart.lab.failure.RecoveryWarmUp;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Unmeasured work that warms up the nodes before a measurement; otherwise the first arm pays for
 * compiling their code.
 *
 * @param plan what each arm of {@link #arms} is given to do
 * @param isBrief whether it is the first arm's alone, whose compaction is not awaited
 * @param rebuilds of small tables before recoveries are measured, 1 to 100
 */
record WarmUp(LoadPlan plan, boolean isBrief, int rebuilds) {
  /** A run below this measures nothing worth a warm-up. */
  private static final int MIN_MEASURED_ROWS = 3_000;

  private static final int DIVISOR = 3;
  private static final int BRIEF_DIVISOR = 8;
  private static final int MAX_ROWS = 100_000;
  private static final int BRIEF_REBUILDS = 3;

  WarmUp {
    if (rebuilds < 1 || rebuilds > 100) {
      throw new IllegalArgumentException("rebuilds %d: must be 1 to 100".formatted(rebuilds));
    }
  }

  /** The warm-up of a measurement, or none where the measurement is too small to need one. */
  static Optional<WarmUp> of(LoadPlan measured) {
    return of(measured, DIVISOR, false, RecoveryWarmUp.REBUILDS);
  }

  /** A short warm-up, for figures that nobody publishes. */
  static Optional<WarmUp> brief(LoadPlan measured) {
    return of(measured, BRIEF_DIVISOR, true, BRIEF_REBUILDS);
  }

  private static Optional<WarmUp> of(
      LoadPlan measured, int divisor, boolean isBrief, int rebuilds) {
    WorkloadSpec workload = measured.workload();
    if (workload.rows() < MIN_MEASURED_ROWS) {
      return Optional.empty();
    }
    int rows = Math.min(MAX_ROWS, workload.rows() / divisor);
    WorkloadSpec few = WorkloadSpec.of(rows, rows / DIVISOR, workload.seed());
    return Optional.of(new WarmUp(new LoadPlan(few, measured.reads()), isBrief, rebuilds));
  }

  /** One arm of each strategy, because arms of one strategy run the same code. */
  List<Arm> arms(List<Arm> measured) {
    if (isBrief) {
      return measured.stream().limit(1).toList();
    }
    Set<String> strategies = new HashSet<>();
    List<Arm> first = new ArrayList<>();
    for (Arm arm : measured) {
      if (strategies.add(arm.strategy())) {
        first.add(arm);
      }
    }
    return first;
  }
}
