package io.counterpart.core.selection;

import java.time.Duration;

/**
 * The constants of the selection, chosen by {@code ./counterpart simulate selection}.
 *
 * @param tie τ, the difference of scores that is not worth a read from disk; above 0
 * @param smoothing time over which means are taken; above 0
 * @param slowerAfter snapshots in a row that must find an endpoint slower before it counts as
 *     slower; 1 to 100
 * @param patience time that an endpoint must be faster before it counts as faster
 * @param idle time without a read after which a mean is forgotten and a ping is wanted; above 0
 * @param silence time without any answer, while two reads wait, that makes an endpoint suspect;
 *     above 0
 */
public record SelectionRules(
    Duration tie,
    Duration smoothing,
    int slowerAfter,
    Patience patience,
    Duration idle,
    Duration silence) {

  /** The plugin's constants. */
  public static final SelectionRules DEFAULT =
      new SelectionRules(
          Duration.ofMillis(20),
          Duration.ofMillis(100),
          2,
          new Patience(Duration.ofSeconds(2), Duration.ofMinutes(2)),
          Duration.ofSeconds(10),
          Duration.ofMillis(300));

  /** Time between two snapshots. */
  public static final Duration SNAPSHOT = Duration.ofMillis(100);

  /** Checks. */
  public SelectionRules {
    require(tie, "tie");
    require(smoothing, "smoothing");
    require(idle, "idle");
    require(silence, "silence");
    if (slowerAfter < 1 || slowerAfter > 100) {
      throw new IllegalArgumentException("slowerAfter is " + slowerAfter + ", legal: 1 to 100");
    }
  }

  /**
   * Times to wait before rows go back.
   *
   * @param first above 0
   * @param most after relapses, each of which doubles it; {@code first} and above
   */
  public record Patience(Duration first, Duration most) {
    /** Checks. */
    public Patience {
      require(first, "patience");
      if (most.compareTo(first) < 0) {
        throw new IllegalArgumentException(
            "most patience is " + most + ", legal: the first, " + first + ", and above");
      }
    }
  }

  private static void require(Duration value, String name) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + ", legal: above 0");
    }
  }

  /** The same constants with another tie. */
  public SelectionRules withTie(Duration other) {
    return new SelectionRules(other, smoothing, slowerAfter, patience, idle, silence);
  }

  /** The same constants with another silence. */
  public SelectionRules withSilence(Duration other) {
    return new SelectionRules(tie, smoothing, slowerAfter, patience, idle, other);
  }
}
