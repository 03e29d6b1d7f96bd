package io.counterpart.cli.console;

import io.counterpart.lab.setup.Progress;
import java.io.PrintStream;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows progress on standard error: bars on a terminal, plain lines elsewhere. Used by one thread.
 */
public final class TerminalProgress implements Progress, AutoCloseable {
  private static final int REFRESH_MILLIS = 500;

  private final PrintStream out;
  private final boolean bars;
  private final long startNanos = System.nanoTime();
  private @Nullable ProgressBar bar;

  /**
   * @param bars whether the stream is a terminal that can redraw a line
   */
  TerminalProgress(PrintStream out, boolean bars) {
    this.out = out;
    this.bars = bars;
  }

  /** Progress on standard error, with bars if the process has a terminal. */
  public static TerminalProgress standardError() {
    return new TerminalProgress(System.err, System.console() != null);
  }

  @Override
  public void say(String line) {
    endBar();
    out.printf("[%4d s] %s%n", elapsedSeconds(), line);
  }

  @Override
  public LongConsumer step(String label, long total) {
    if (!bars || total == 0) {
      say(label);
      return done -> {};
    }
    endBar();
    ProgressBar started =
        new ProgressBarBuilder()
            .setTaskName("[%4d s] %-22s".formatted(elapsedSeconds(), label))
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REFRESH_MILLIS)
            .showSpeed()
            .build();
    bar = started;
    return started::stepTo;
  }

  @Override
  public void close() {
    endBar();
  }

  private long elapsedSeconds() {
    return (System.nanoTime() - startNanos) / 1_000_000_000L;
  }

  private void endBar() {
    ProgressBar current = bar;
    bar = null;
    if (current != null) {
      current.close();
    }
  }
}
