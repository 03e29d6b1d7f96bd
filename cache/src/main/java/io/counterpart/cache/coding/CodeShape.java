package io.counterpart.cache.coding;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape (n, k) of a code. Immutable.
 *
 * @param n chunks of a stripe, data and parity: 3 to 14
 * @param k data chunks, and how many of the n are enough to decode the others: 2 to 10, below n
 */
public record CodeShape(int n, int k) {

  private static final int MIN_N = 3;
  private static final int MAX_N = 14;
  private static final int MIN_K = 2;
  private static final int MAX_K = 10;
  private static final String LEGAL =
      "legal: n in %d..%d, k in %d..%d, k < n".formatted(MIN_N, MAX_N, MIN_K, MAX_K);
  private static final Pattern TEXT = Pattern.compile("\\s*(\\d{1,9})\\s*,\\s*(\\d{1,9})\\s*");

  /**
   * @throws IllegalArgumentException with the value and the legal range
   */
  public CodeShape {
    if (n < MIN_N || n > MAX_N || k < MIN_K || k > MAX_K || k >= n) {
      throw new IllegalArgumentException("code is (" + n + "," + k + "); " + LEGAL);
    }
  }

  /**
   * Parses a shape such as {@code 5,3}: n, a comma, k.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public static CodeShape parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "code is '" + text + "', not two numbers such as 5,3; " + LEGAL);
    }
    return new CodeShape(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** Number of parity chunks of a stripe, and of lost chunks that it survives: 1 to 12. */
  public int parityCount() {
    return n - k;
  }

  /** The notation of papers: {@code (5,3)}. */
  @Override
  public String toString() {
    return "(" + n + "," + k + ")";
  }
}
