package io.counterpart.cli.lab;

import io.counterpart.cli.console.TerminalProgress;
import io.counterpart.lab.bundle.BundleWriter;
import io.counterpart.lab.bundle.ResultFolder;
import io.counterpart.lab.live.LivePage;
import io.counterpart.lab.report.LabTables;
import io.counterpart.lab.report.html.HtmlReport;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.Experiment;
import io.counterpart.lab.run.Lab;
import io.counterpart.lab.run.RunListener;
import io.counterpart.lab.setup.ClusterSource;
import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * A run of an experiment with all that it leaves behind: its files, its bundle, its tables.
 *
 * @param experiment what runs
 * @param scale its scale's name
 * @param seed repeats keys and values
 * @param directory for the files, absolute
 * @param bundle file for all of them together, or null for none
 */
record RecordedRun(
    Experiment experiment, String scale, long seed, Path directory, @Nullable Path bundle) {

  /** Runs the experiment, keeps the result and prints it. */
  LabResult run(ClusterSource cluster, LiveOptions live, CommandLine console)
      throws IOException, InterruptedException, TimeoutException {
    LabResult result;
    try (TerminalProgress terminal = TerminalProgress.standardError();
        LivePage page = live.open(console.getErr())) {
      Progress progress = page == null ? terminal : page.with(terminal);
      RunListener listener = page == null ? RunListener.DEAF : page;
      result = new Lab(experiment, scale, seed, cluster, progress, listener).run();
    }
    ResultFolder.write(directory, result);
    HtmlReport.write(directory.resolve(LabReportCommand.REPORT), result);
    if (bundle != null) {
      BundleWriter.write(directory, result, bundle);
    }
    print(result, console.getOut());
    return result;
  }

  private void print(LabResult result, PrintWriter out) {
    out.println();
    out.println(LabTables.phases(result.blocks()));
    out.println(LabTables.figures(result.figures()));
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
