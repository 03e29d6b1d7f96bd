package io.counterpart.lab.report.html;

import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The run over time. Blocks of the arms alternate, so that at each moment one arm at most has a
 * value; null is none.
 *
 * @param seconds since the run began, ascending; the lists of tracks are as long
 * @param charts one for each measure that is shown
 * @param spans phases, in order
 */
record Timeline(List<Double> seconds, List<MeasureChart> charts, List<Span> spans) {
  // samples are a second apart at most: what is further apart is not one line
  private static final double GAP_SECONDS = 5;

  /**
   * One measure.
   *
   * @param tracks one for each arm with values
   */
  record MeasureChart(String title, String unit, List<Track> tracks) {}

  /** One arm's values. */
  record Track(String arm, List<@Nullable Double> values) {}

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
    List<MeasureChart> charts =
        SampledMeasure.of(samples).stream()
            .map(measure -> chart(measure, rows, arms))
            .filter(Objects::nonNull)
            .toList();
    return new Timeline(seconds, charts, spans(samples));
  }

  /** Null if nothing was above zero, unless the measure is always shown. */
  private static @Nullable MeasureChart chart(
      SampledMeasure measure, List<@Nullable Sample> rows, List<ArmStyle> arms) {
    List<Track> tracks =
        arms.stream()
            .map(arm -> new Track(arm.name(), column(rows, arm.name(), measure)))
            .filter(track -> track.values().stream().anyMatch(Objects::nonNull))
            .toList();
    boolean isAboveZero =
        tracks.stream()
            .flatMap(track -> track.values().stream())
            .anyMatch(value -> value != null && value > 0);
    return tracks.isEmpty() || !(measure.always() || isAboveZero)
        ? null
        : new MeasureChart(measure.title(), measure.unit(), tracks);
  }

  private static boolean breaks(Sample before, Sample sample) {
    return sample.second() - before.second() > GAP_SECONDS
        || !sample.phase().equals(before.phase());
  }

  private static List<@Nullable Double> column(
      List<@Nullable Sample> rows, String arm, SampledMeasure measure) {
    List<@Nullable Double> column = new ArrayList<>();
    for (Sample row : rows) {
      column.add(row != null && row.arm().equals(arm) ? row.shown(measure) : null);
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
