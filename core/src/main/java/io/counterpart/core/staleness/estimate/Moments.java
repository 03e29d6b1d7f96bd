package io.counterpart.core.staleness.estimate;

/**
 * Mean and variance of values between 0 and 1.
 *
 * @param samples 0 and above
 * @param mean 0 to 1
 * @param variance of the sample, so divided by {@code samples − 1}; 0 and above
 */
public record Moments(long samples, double mean, double variance) {
  /** Checks. */
  public Moments {
    if (samples < 0 || !(mean >= 0 && mean <= 1 && variance >= 0)) {
      throw new IllegalArgumentException(
          "%d samples, mean %s, variance %s, legal: 0 and above, 0 to 1, 0 and above"
              .formatted(samples, mean, variance));
    }
  }

  /** Of a sum and a sum of squares. */
  static Moments of(long samples, double sum, double squares) {
    if (samples == 0) {
      return new Moments(0, 0, 0);
    }
    double mean = Math.min(1, sum / samples);
    double spread = Math.max(0, squares - samples * mean * mean);
    return new Moments(samples, mean, samples == 1 ? 0 : spread / (samples - 1));
  }
}
