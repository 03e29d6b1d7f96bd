package io.counterpart.lab.report.html;

import io.counterpart.lab.result.LabFigure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A figure of merit on the page.
 *
 * @param atMost whether less is asked for; else at least {@code reach}
 * @param paperLow what the paper has, or the lower end of it; null if that is no number
 * @param paperHigh the upper end, the same as {@code paperLow} for a single number
 */
record FigureRow(
    String id,
    double measured,
    double low,
    double high,
    String unit,
    List<String> arms,
    double reach,
    boolean atMost,
    boolean reached,
    String paper,
    @Nullable Double paperLow,
    @Nullable Double paperHigh,
    String verdict) {
  // 2.43, 1.4-2.4, with or without a sign of multiplication behind
  private static final Pattern NUMBERS =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(?:[-–]\\s*(\\d+(?:\\.\\d+)?))?\\s*[x×]?\\s*");

  static FigureRow of(LabFigure figure) {
    Matcher numbers = NUMBERS.matcher(figure.paper());
    Double low = null;
    Double high = null;
    if (numbers.matches()) {
      low = Double.valueOf(numbers.group(1));
      high = numbers.group(2) == null ? low : Double.valueOf(numbers.group(2));
    }
    return new FigureRow(
        figure.id(),
        figure.measured(),
        figure.low(),
        figure.high(),
        figure.unit(),
        figure.arms(),
        figure.reach(),
        figure.atMost(),
        figure.reached(),
        figure.paper(),
        low,
        high,
        figure.verdict());
  }
}
