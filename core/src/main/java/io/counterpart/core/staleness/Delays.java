package io.counterpart.core.staleness;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A distribution of one-way delays, in milliseconds. Immutable and thread-safe. */
public sealed interface Delays {

  /** One delay, 0 and above. */
  double sample(SplittableRandom random);

  /**
   * A Pareto body with an exponential tail, to which the delays of production systems were fitted.
   *
   * @param bodyShare share of delays from the body, 0 to 1
   * @param scale least delay of the body, in ms, above 0
   * @param shape of the body, above 0
   * @param tailRate 1 ÷ mean of the tail, per ms, above 0
   */
  record ParetoAndTail(double bodyShare, double scale, double shape, double tailRate)
      implements Delays {
    /** Checks. */
    public ParetoAndTail {
      if (!(bodyShare >= 0 && bodyShare <= 1 && scale > 0 && shape > 0 && tailRate > 0)) {
        throw new IllegalArgumentException(
            "share %s, scale %s, shape %s, rate %s, legal: a share of 0 to 1, others above 0"
                .formatted(bodyShare, scale, shape, tailRate));
      }
    }

    @Override
    public double sample(SplittableRandom random) {
      boolean body = random.nextDouble() < bodyShare;
      double left = 1 - random.nextDouble(); // above 0
      return body ? scale * Math.pow(left, -1 / shape) : -Math.log(left) / tailRate;
    }
  }

  /** Delays that were measured; each is as likely as any other. */
  final class Measured implements Delays {
    private final double[] millis;

    /**
     * @param millis at least one, each 0 and above
     */
    public Measured(double... millis) {
      if (millis.length == 0 || !Arrays.stream(millis).allMatch(each -> each >= 0)) {
        throw new IllegalArgumentException(
            "%d delays, legal: at least 1, each 0 ms and above".formatted(millis.length));
      }
      this.millis = millis.clone();
    }

    @Override
    public double sample(SplittableRandom random) {
      return millis[random.nextInt(millis.length)];
    }
  }
}
