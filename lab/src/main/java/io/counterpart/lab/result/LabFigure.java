package io.counterpart.lab.result;

import java.util.List;
import java.util.Locale;

/**
 * One figure of the lab.
 *
 * @param id stable name
 * @param measured median of the pairs
 * @param low lower end of the interval
 * @param high upper end
 * @param unit "ratio", or the unit's name
 * @param arms numerator, denominator
 * @param scale smoke, small or full
 * @param reach what was asked for: at least so much, or at most where {@code atMost} says so
 * @param reached whether the median meets it
 * @param paper what the paper has, as text, or empty
 * @param verdict of a ratio "more", "less", or "no difference" where the interval holds 1
 * @param atMost whether less is better; absent, and so false, in older files
 */
public record LabFigure(
    String id,
    double measured,
    double low,
    double high,
    String unit,
    List<String> arms,
    String scale,
    double reach,
    boolean reached,
    String paper,
    String verdict,
    boolean atMost) {
  /** A figure of which more is better. */
  public LabFigure(
      String id,
      double measured,
      double low,
      double high,
      String unit,
      List<String> arms,
      String scale,
      double reach,
      boolean reached,
      String paper,
      String verdict) {
    this(id, measured, low, high, unit, arms, scale, reach, reached, paper, verdict, false);
  }

  /** What was asked for, as text: ">= 1.50" or "<= 0.25". */
  public String asked() {
    return String.format(Locale.ROOT, "%s %.2f", atMost ? "<=" : ">=", reach);
  }
}
