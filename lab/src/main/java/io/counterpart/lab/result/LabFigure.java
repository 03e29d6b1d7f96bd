package io.counterpart.lab.result;

import java.util.List;

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
 * @param reach what was asked for
 * @param reached whether the median meets it
 * @param paper what the paper has, as text, or empty
 * @param verdict "more", "less", or "no difference" where the interval holds 1
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
    String verdict) {}
