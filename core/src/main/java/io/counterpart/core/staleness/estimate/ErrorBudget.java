package io.counterpart.core.staleness.estimate;

import io.counterpart.core.staleness.Probability;
import java.time.Duration;

/**
 * The probability of a wrong bound, spent in equal shares on the looks of one period. A look is a
 * moment at which a bound may permit fewer replicas than before. With probability {@code 1 − delta}
 * no look of a period is wrong, by the union bound.
 *
 * <p>Worked: δ = 0.05 over an hour of looks every 30 s gives each look 0.05 ÷ 120 = 0.000417, and
 * 1,979 samples without a stale read are needed for a bound of 1 %.
 *
 * @param delta above 0 and below 1
 * @param period above 0
 * @param look above 0, at most {@code period}
 */
public record ErrorBudget(double delta, Duration period, Duration look) {
  /** 5 % an hour, looks every 30 s. */
  public static final ErrorBudget HOURLY =
      new ErrorBudget(0.05, Duration.ofHours(1), Duration.ofSeconds(30));

  /** Checks. */
  public ErrorBudget {
    Probability.require("delta", delta);
    if (look.isZero() || look.isNegative() || look.compareTo(period) > 0) {
      throw new IllegalArgumentException(
          "look is %s, legal: above 0 and at most the period of %s".formatted(look, period));
    }
  }

  /** δ of one look. */
  public double deltaOfLook() {
    long looks = Math.max(1, period.dividedBy(look));
    return delta / looks;
  }
}
