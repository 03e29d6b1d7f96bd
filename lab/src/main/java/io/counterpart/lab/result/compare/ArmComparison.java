package io.counterpart.lab.result.compare;

import io.counterpart.lab.stats.Interval;

/**
 * One phase of one arm in two runs.
 *
 * @param phase name of the phase
 * @param arm name of the arm
 * @param a the first run
 * @param b the second run
 * @param throughputRatio throughput of b ÷ throughput of a, with its 95 % interval
 * @param falseAlarm how often two equal runs with so few blocks would not be found equal, 0 to 1
 * @param verdict on b's throughput: "more", "less", or "no difference" where the interval holds 1
 */
public record ArmComparison(
    String phase,
    String arm,
    ArmMeasures a,
    ArmMeasures b,
    Interval throughputRatio,
    double falseAlarm,
    String verdict) {}
