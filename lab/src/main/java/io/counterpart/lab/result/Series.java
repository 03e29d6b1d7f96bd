package io.counterpart.lab.result;

import java.util.List;

/**
 * One curve. Curves of the same id share their axes and are drawn together.
 *
 * @param id stable name of the axes that it is drawn on
 * @param title what these show
 * @param line its name among the curves of the id
 * @param source where it comes from
 * @param xLabel horizontal axis, with its unit
 * @param yLabel vertical axis, with its unit
 * @param points by ascending x
 */
public record Series(
    String id,
    String title,
    String line,
    Source source,
    String xLabel,
    String yLabel,
    List<Point> points) {
  /** Keeps the points. */
  public Series {
    points = List.copyOf(points);
  }

  /** Where values come from. */
  public enum Source {
    /** Blocks of this run. */
    MEASURED,
    /** The simulator. */
    MODEL,
    /** The paper's text. */
    PAPER
  }

  /** One value. */
  public record Point(double x, double y) {}
}
