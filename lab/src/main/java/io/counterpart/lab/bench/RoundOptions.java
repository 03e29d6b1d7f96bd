package io.counterpart.lab.bench;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * How a {@link Round} is run.
 *
 * @param warmUp before anything is measured, if it is worth one
 * @param checkedBeforeWipe whether all rows are also read back before a node is wiped
 * @param loaded told each arm's name and load once it is measured, before the next arm's begins
 */
record RoundOptions(
    Optional<WarmUp> warmUp,
    boolean checkedBeforeWipe,
    BiConsumer<String, LoadMeasurement> loaded) {

  /** For figures that are published. */
  static RoundOptions measured(LoadPlan plan) {
    return new RoundOptions(WarmUp.of(plan), false, (arm, load) -> {});
  }

  /** For people who wait. */
  static RoundOptions shown(LoadPlan plan, BiConsumer<String, LoadMeasurement> loaded) {
    return new RoundOptions(WarmUp.brief(plan), true, loaded);
  }
}
