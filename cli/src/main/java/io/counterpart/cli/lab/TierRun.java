package io.counterpart.cli.lab;

import io.counterpart.cluster.Installation;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.tier.TierLab;
import io.counterpart.lab.tier.TierPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;

/**
 * A run on the memory tier: the part that all commands with one share.
 *
 * @param home directory of the tiers' files during the run
 * @param record its output
 */
record TierRun(Path home, RecordedRun record) {

  /**
   * Looks at places. Touches nothing.
   *
   * @param name of the directory, unless the options have one
   * @throws CommandLine.ParameterException if a place cannot be written
   */
  static TierRun prepare(String name, KeepOptions keep) {
    keep.check();
    Path lab = LabDirectory.of(Installation.locate());
    return new TierRun(
        lab.resolve("tier"), new RecordedRun(keep.directory(lab.resolve(name)), keep.bundle()));
  }

  /** Runs, keeps the result and prints it. */
  LabResult run(TierPlan plan, LiveOptions live, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    return record.run(
        (progress, listener) -> new TierLab(plan, home, progress, listener), live, console);
  }
}
