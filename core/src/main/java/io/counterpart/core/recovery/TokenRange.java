package io.counterpart.core.recovery;

/**
 * A range of Murmur3 tokens.
 *
 * @param left exclusive
 * @param right inclusive; at or below {@code left} the range wraps around the ring
 */
public record TokenRange(long left, long right) implements Comparable<TokenRange> {
  private static final double RING = 0x1.0p64;

  /**
   * Reads tokens as Cassandra prints them.
   *
   * @throws IllegalArgumentException if one is no Murmur3 token
   */
  public static TokenRange parse(String left, String right) {
    try {
      return new TokenRange(Long.parseLong(left), Long.parseLong(right));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "(" + left + ", " + right + "] is no range of Murmur3 tokens", e);
    }
  }

  /** Its part of the whole ring, above 0 and up to 1; with hashed tokens also of the data. */
  public double ringFraction() {
    long width = right - left;
    if (width == 0) {
      return 1;
    }
    return width > 0 ? width / RING : 1 + width / RING;
  }

  /** {@code left:right}, as repair wants it. */
  @Override
  public String toString() {
    return left + ":" + right;
  }

  /** By the right token: ring order. */
  @Override
  public int compareTo(TokenRange other) {
    int byRight = Long.compare(right, other.right);
    return byRight != 0 ? byRight : Long.compare(left, other.left);
  }
}
