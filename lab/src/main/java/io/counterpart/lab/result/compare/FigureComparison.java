package io.counterpart.lab.result.compare;

import io.counterpart.lab.result.LabFigure;
import io.counterpart.lab.stats.Interval;

/**
 * One figure of merit in two runs.
 *
 * @param id stable name
 * @param a the first run's
 * @param b the second run's
 * @param overlap whether the intervals have a value in common
 */
public record FigureComparison(String id, Interval a, Interval b, boolean overlap) {
  static FigureComparison of(LabFigure a, LabFigure b) {
    return new FigureComparison(
        a.id(), interval(a), interval(b), a.low() <= b.high() && b.low() <= a.high());
  }

  private static Interval interval(LabFigure figure) {
    return new Interval(figure.measured(), figure.low(), figure.high());
  }
}
