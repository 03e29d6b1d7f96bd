package io.counterpart.cli.console;

import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.StepSchedule;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error how much of a whole run is done and the time left: one bar under the news
 * on a terminal, a line for each step elsewhere. Used by one thread.
 */
public final class ScheduledProgress implements Progress, AutoCloseable {
  private static final int REFRESH_MILLIS = 500;
  private static final int BAR_WIDTH = 30;
  private static final int MAX_WIDTH = 100;

  private final PrintStream out;
  private final boolean bars;
  private final StepSchedule schedule;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private @Nullable ProgressBar bar;

  /**
   * @param bars whether the stream is a terminal that can redraw a line
   */
  ScheduledProgress(PrintStream out, boolean bars, StepSchedule schedule, LongSupplier nanoClock) {
    this.out = out;
    this.bars = bars;
    this.schedule = schedule;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
  }

  /** Progress on standard error, with a bar if the process has a terminal. */
  public static ScheduledProgress standardError(StepSchedule schedule) {
    return new ScheduledProgress(System.err, System.console() != null, schedule, System::nanoTime);
  }

  @Override
  public void say(String line) {
    endBar();
    schedule.begin(line, elapsed());
    out.printf("[%4d s] %s%n", elapsed().toSeconds(), line);
    startBar("");
  }

  @Override
  public LongConsumer step(String label, long total) {
    schedule.begin(label, elapsed());
    if (bars) {
      endBar();
      startBar(label);
    } else {
      out.printf("[%4d s] %s%s%n", elapsed().toSeconds(), label, rest());
    }
    return total == 0 ? done -> {} : done -> schedule.advance((double) done / total);
  }

  @Override
  public void close() {
    endBar();
  }

  private String rest() {
    return String.format(
        Locale.ROOT,
        " (%.0f %% done, about %s left)",
        100 * schedule.fractionDone(elapsed()),
        minutes(schedule.left(elapsed())));
  }

  /** As the bar is drawn: {@code 42 % [=====> ] 1:50 left load lcs}. */
  private String line(String label) {
    double done = schedule.fractionDone(elapsed());
    int filled = (int) (done * BAR_WIDTH);
    return String.format(
        Locale.ROOT,
        "%3.0f %% [%s>%s] about %s left  %s",
        100 * done,
        "=".repeat(filled),
        " ".repeat(BAR_WIDTH - filled),
        minutes(schedule.left(elapsed())),
        label);
  }

  static String minutes(Duration time) {
    return String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
  }

  private Duration elapsed() {
    return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
  }

  private void startBar(String label) {
    if (bars) {
      bar =
          new ProgressBarBuilder()
              .setUpdateIntervalMillis(REFRESH_MILLIS)
              .setMaxRenderedLength(MAX_WIDTH)
              .setRenderer((ProgressState state, int width) -> cut(line(label), width))
              .continuousUpdate()
              .clearDisplayOnFinish()
              .build();
    }
  }

  private static String cut(String line, int width) {
    return width > 0 && line.length() > width ? line.substring(0, width) : line;
  }

  private void endBar() {
    ProgressBar current = bar;
    bar = null;
    if (current != null) {
      current.close();
    }
  }
}
