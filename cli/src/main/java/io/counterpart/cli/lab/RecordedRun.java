package io.counterpart.cli.lab;

import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.lab.bundle.BundleWriter;
import io.counterpart.lab.bundle.ResultFolder;
import io.counterpart.lab.live.LivePage;
import io.counterpart.lab.report.BreakdownTable;
import io.counterpart.lab.report.LabTables;
import io.counterpart.lab.report.LatencyTable;
import io.counterpart.lab.report.RecoveryTable;
import io.counterpart.lab.report.RequestTable;
import io.counterpart.lab.report.SeriesTable;
import io.counterpart.lab.report.TableCosts;
import io.counterpart.lab.report.TierTables;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.LabRun;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * A run of an experiment with its output: files, bundle, tables. A run that breaks off, by Ctrl-C
 * or by an error, leaves what it has measured.
 *
 * @param directory for the files, absolute
 * @param bundle file for all of them together, or null for none
 */
record RecordedRun(Path directory, @Nullable Path bundle) {

  /** Makes a run. */
  @FunctionalInterface
  interface Made {
    /**
     * @param progress display of the run's progress
     * @param listener the live page, if there is one
     */
    LabRun with(Progress progress, RunListener listener);
  }

  /** Runs an experiment with its live page, keeps the result and prints it. */
  LabResult run(Made made, LiveOptions live, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    LabResult result;
    try (TerminalProgress terminal = TerminalProgress.standardError();
        LivePage page = live.open(console.getErr())) {
      Progress progress = page == null ? terminal : page.with(terminal);
      RunListener listener = page == null ? RunListener.DEAF : page;
      result = measured(made.with(progress, listener), console);
    }
    print(result, console.getOut());
    return result;
  }

  /**
   * Runs what has no live page, keeps the result and prints it.
   *
   * @param made the run, given the display of its progress
   */
  LabResult run(Function<Progress, LabRun> made, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    LabResult result;
    try (TerminalProgress terminal = TerminalProgress.standardError()) {
      result = measured(made.apply(terminal), console);
    }
    print(result, console.getOut());
    return result;
  }

  private LabResult measured(LabRun lab, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    try (BreakOff breakOff = BreakOff.keeps(this, lab, console.getErr())) {
      return breakOff.run();
    }
  }

  /** Writes the files of a result, whole or not. */
  void keep(LabResult result) throws IOException {
    ResultFolder.write(directory, result);
    HtmlReport.write(directory.resolve(LabReportCommand.REPORT), result);
    if (bundle != null) {
      BundleWriter.write(directory, result, bundle);
    }
  }

  private void print(LabResult result, PrintWriter out) {
    out.println();
    out.println(
        TierTables.isOfTier(result.blocks())
            ? TierTables.phases(result.blocks())
            : LabTables.phases(result.blocks()));
    String figures = result.figures().isEmpty() ? "" : LabTables.figures(result.figures());
    for (String more :
        List.of(
            TierTables.isOfTier(result.blocks()) ? TierTables.counters(result.blocks()) : "",
            LatencyTable.text(result.blocks()),
            RequestTable.text(result),
            TableCosts.text(result.blocks()),
            RecoveryTable.text(result.blocks()),
            BreakdownTable.text(result.blocks()),
            SeriesTable.text(result.series()),
            figures)) {
      if (!more.isEmpty()) {
        out.println(more);
      }
    }
    out.printf(
        "%d values checked byte by byte: %d lost, %d wrong, %d unread; %d s; %s%n",
        result.checked(),
        result.lost(),
        result.wrong(),
        result.unread(),
        result.seconds(),
        bundle == null ? directory : directory + ", " + bundle);
    out.flush();
  }
}
