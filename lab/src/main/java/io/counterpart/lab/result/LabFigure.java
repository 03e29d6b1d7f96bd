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
 * @param note a condition of the aim with its value; empty without one, absent in older files
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
    boolean atMost,
    String note) {
  private static final double SMALL = 0.1;
  private static final double LARGE = 1000;

  /** Reads files without notes, and published ones without empty texts. */
  public LabFigure {
    paper = paper == null ? "" : paper;
    note = note == null ? "" : note;
  }

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
    this(id, measured, low, high, unit, arms, scale, reach, reached, paper, verdict, false, "");
  }

  /** A figure without a note. */
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
      String verdict,
      boolean atMost) {
    this(id, measured, low, high, unit, arms, scale, reach, reached, paper, verdict, atMost, "");
  }

  /** What was asked for, as text: ">= 1.50" or "<= 0.25". */
  public String asked() {
    return (atMost ? "<= " : ">= ") + number(reach);
  }

  /** A figure as people read it: small ones with three decimals, large ones with none. */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    String format = size >= LARGE ? "%.0f" : size > 0 && size < SMALL ? "%.3f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
