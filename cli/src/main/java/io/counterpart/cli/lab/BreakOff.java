package io.counterpart.cli.lab;

import io.counterpart.cli.console.ProcessEnd;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.run.LabRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps the result of a run, or the measurements of one that breaks off. */
final class BreakOff implements AutoCloseable {
  private static final String STOPPED = "stopped from outside";

  private final RecordedRun run;
  private final LabRun lab;
  private final PrintWriter err;
  private final AtomicBoolean settled = new AtomicBoolean();
  private final Thread hook = new Thread(() -> keep(STOPPED), "keep-measured");

  private BreakOff(RecordedRun run, LabRun lab, PrintWriter err) {
    this.run = run;
    this.lab = lab;
    this.err = err;
  }

  static BreakOff keeps(RecordedRun run, LabRun lab, PrintWriter err) {
    BreakOff breakOff = new BreakOff(run, lab, err);
    Runtime.getRuntime().addShutdownHook(breakOff.hook);
    return breakOff;
  }

  /** Runs and keeps the result; if that fails, keeps what there is and fails likewise. */
  LabResult run() throws IOException, InterruptedException, TimeoutException {
    try {
      LabResult result = lab.run();
      keep(result);
      return result;
    } catch (IOException | InterruptedException | TimeoutException | RuntimeException | Error e) {
      boolean ends = ProcessEnd.isUnderWay();
      keep(ends ? STOPPED : "failed: " + e.getMessage());
      if (ends) {
        throw new IllegalStateException(STOPPED, e);
      }
      throw e;
    }
  }

  /** A process that is told to end meanwhile waits for it. */
  private synchronized void keep(LabResult whole) throws IOException {
    if (settled.compareAndSet(false, true)) {
      run.keep(whole);
    }
  }

  /**
   * Once: a process that is told to end makes the run fail too, since servers end before it. The
   * process waits for whoever comes first.
   */
  private synchronized void keep(String reason) {
    if (!settled.compareAndSet(false, true)) {
      return;
    }
    LabResult part = lab.brokenOff(reason);
    if (part.blocks().isEmpty()) {
      return;
    }
    try {
      run.keep(part);
      err.printf("kept %d blocks in %s%n", part.blocks().size(), run.directory());
    } catch (IOException e) {
      err.printf("cannot keep what was measured: %s%n", e.getMessage());
    }
    err.flush();
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException exiting) {
      // the hook runs already
      return;
    }
  }
}
