package io.counterpart.lab.report.html;

import io.counterpart.lab.result.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The run over time. Blocks of the arms alternate, so that at each moment one arm at most has a
 * value; null is none.
 *
 * @param seconds since the run began, ascending; the other lists are as long
 * @param tracks one for each arm with samples
 * @param memtableMegabytes of all tables and nodes together: they share one pool
 * @param spans phases, in order
 */
record Timeline(
    List<Double> seconds,
    List<Track> tracks,
    List<@Nullable Double> memtableMegabytes,
    List<Span> spans) {
  // samples are a second apart: what is further apart is not one line
  private static final double GAP_SECONDS = 5;
  private static final double MB = 1e6;

  /** One arm's samples. */
  record Track(
      String arm,
      List<@Nullable Double> operationsPerSecond,
      List<@Nullable Double> pendingCompactions) {}

  /** A phase from its first sample to its last. */
  record Span(String phase, double from, double to) {}

  static Timeline of(List<Sample> unordered, List<ArmStyle> arms) {
    List<Sample> samples =
        unordered.stream().sorted(Comparator.comparingDouble(Sample::second)).toList();
    List<@Nullable Sample> rows = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    Sample before = null;
    for (Sample sample : samples) {
      if (before != null && breaks(before, sample)) {
        rows.add(null);
        seconds.add((before.second() + sample.second()) / 2);
      }
      rows.add(sample);
      seconds.add(sample.second());
      before = sample;
    }
    List<Track> tracks =
        arms.stream()
            .map(ArmStyle::name)
            .filter(arm -> samples.stream().anyMatch(sample -> sample.arm().equals(arm)))
            .map(
                arm ->
                    new Track(
                        arm,
                        column(rows, arm, Sample::operationsPerSecond),
                        column(rows, arm, Sample::pendingCompactions)))
            .toList();
    return new Timeline(
        seconds, tracks, column(rows, null, s -> s.memtableBytes() / MB), spans(samples));
  }

  private static boolean breaks(Sample before, Sample sample) {
    return sample.second() - before.second() > GAP_SECONDS
        || !sample.phase().equals(before.phase());
  }

  private static List<@Nullable Double> column(
      List<@Nullable Sample> rows, @Nullable String arm, ToDoubleFunction<Sample> value) {
    List<@Nullable Double> column = new ArrayList<>();
    for (Sample row : rows) {
      boolean shown = row != null && (arm == null || row.arm().equals(arm));
      column.add(shown ? Double.valueOf(value.applyAsDouble(row)) : null);
    }
    return column;
  }

  private static List<Span> spans(List<Sample> samples) {
    List<Span> spans = new ArrayList<>();
    for (Sample sample : samples) {
      int last = spans.size() - 1;
      if (last >= 0 && spans.get(last).phase().equals(sample.phase())) {
        spans.set(last, new Span(sample.phase(), spans.get(last).from(), sample.second()));
      } else {
        spans.add(new Span(sample.phase(), sample.second(), sample.second()));
      }
    }
    return spans;
  }
}
