package io.counterpart.lab.setup;

import java.time.Duration;
import java.util.List;

/**
 * Estimates how much of a run is done and how long the rest takes, from the steps that the run is
 * expected to make.
 *
 * <p>Each step has an expected time, measured once on a machine of two cores. This machine's pace
 * is (elapsed + 30 s) ÷ (expected time of what is done + 30 s); the constant keeps the first
 * seconds from misleading. The rest is expected at that pace. Worked: steps of 20, 10 and 60 s, of
 * which 25 s are done after 80 s: the pace is 110 ÷ 55 = 2, so the rest takes 2 · (5 + 60) = 130 s.
 * A step that reports no units is taken to advance with time, up to 95 %.
 *
 * <p>Thread-safe: a display asks while the run reports.
 */
public final class StepSchedule {
  private static final double TRUST_SECONDS = 30;
  private static final double MAX_UNREPORTED = 0.95;

  private final List<Step> steps;
  private int current = -1;
  private double paceAtBegin = 1;
  private double begunSeconds;
  private double reported;

  /**
   * One step.
   *
   * @param label what {@link Progress#step} or {@link Progress#say} is told when it begins
   * @param seconds expected, more than 0
   */
  public record Step(String label, double seconds) {
    /** Checks the time. */
    public Step {
      if (!(seconds > 0)) {
        throw new IllegalArgumentException(
            "step '%s', %s s: must be > 0".formatted(label, seconds));
      }
    }
  }

  /** A schedule of which nothing is done; the order tells equal labels apart. */
  public StepSchedule(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** A step begins, and all before it are done; an unknown label belongs to the current step. */
  public synchronized void begin(String label, Duration elapsed) {
    for (int i = current + 1; i < steps.size(); i++) {
      if (steps.get(i).label().equals(label)) {
        current = i;
        reported = 0;
        begunSeconds = seconds(elapsed);
        paceAtBegin = (begunSeconds + TRUST_SECONDS) / (secondsBefore(i) + TRUST_SECONDS);
        return;
      }
    }
  }

  /**
   * The current step has come so far.
   *
   * @param done share of the step, taken as 0 to 1
   */
  public synchronized void advance(double done) {
    reported = Math.min(1, Math.max(0, done));
  }

  /** Share of the expected time that is done, 0 to 1. */
  public synchronized double fractionDone(Duration elapsed) {
    return doneSeconds(elapsed) / secondsBefore(steps.size());
  }

  /** How long the rest takes if this machine keeps its pace. */
  public synchronized Duration left(Duration elapsed) {
    double done = doneSeconds(elapsed);
    double pace = (seconds(elapsed) + TRUST_SECONDS) / (done + TRUST_SECONDS);
    return Duration.ofMillis(Math.round((secondsBefore(steps.size()) - done) * pace * 1000));
  }

  private double doneSeconds(Duration elapsed) {
    if (current < 0) {
      return 0;
    }
    double expected = steps.get(current).seconds();
    double inStep = (seconds(elapsed) - begunSeconds) / (expected * paceAtBegin);
    double share = reported > 0 ? reported : Math.min(MAX_UNREPORTED, Math.max(0, inStep));
    return secondsBefore(current) + expected * share;
  }

  private double secondsBefore(int step) {
    return steps.stream().limit(step).mapToDouble(Step::seconds).sum();
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
