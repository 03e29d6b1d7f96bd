package io.counterpart.lab.bench;

import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How much is loaded for nothing but warm servers before anything is measured: else the arm that
 * comes first pays for code that is not yet compiled.
 *
 * @param plan what each arm of {@link #arms} is given to do
 */
record WarmUp(LoadPlan plan) {
  /** A run below this measures nothing worth a warm-up. */
  private static final int MIN_MEASURED_ROWS = 3_000;

  private static final int DIVISOR = 3;
  private static final int MAX_ROWS = 30_000;

  /** The warm-up of a measurement, or none where the measurement is too small to need one. */
  static Optional<WarmUp> of(LoadPlan measured) {
    WorkloadSpec workload = measured.workload();
    if (workload.rows() < MIN_MEASURED_ROWS) {
      return Optional.empty();
    }
    int rows = Math.min(MAX_ROWS, workload.rows() / DIVISOR);
    return Optional.of(
        new WarmUp(
            new LoadPlan(
                WorkloadSpec.of(rows, rows / DIVISOR, workload.seed()), measured.reads())));
  }

  /** One arm of each strategy: arms of one strategy run the same code. */
  static List<Arm> arms(List<Arm> measured) {
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
