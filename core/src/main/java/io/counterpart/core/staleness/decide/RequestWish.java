package io.counterpart.core.staleness.decide;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What one request asks for beside its level.
 *
 * @param strict the client's level is to be used
 * @param maxStaleMillis writes younger than this may be missed
 * @param deadlineMillis a level whose reads usually take longer is not to be chosen
 */
public record RequestWish(
    boolean strict, OptionalLong maxStaleMillis, OptionalLong deadlineMillis) {
  /** Nothing. */
  public static final RequestWish NONE =
      new RequestWish(false, OptionalLong.empty(), OptionalLong.empty());

  /** Key of the request's payload; the only value is {@code strict}. */
  public static final String STRICT = "cr";

  /** Key of the request's payload, in ms. */
  public static final String MAX_STALE = "max_stale_ms";

  /** Key of the request's payload, in ms. */
  public static final String DEADLINE = "deadline_ms";

  private static final long MOST_MILLIS = 3_600_000;

  /**
   * Reads a request's payload, in which other keys belong to others.
   *
   * @throws IllegalArgumentException with key, value and legal range
   */
  public static RequestWish parse(Map<String, String> payload) {
    String strict = payload.get(STRICT);
    if (strict != null && !strict.equals("strict")) {
      throw new IllegalArgumentException("cr is '%s', legal: strict".formatted(strict));
    }
    return new RequestWish(
        strict != null, millis(payload, MAX_STALE, 0), millis(payload, DEADLINE, 1));
  }

  private static OptionalLong millis(Map<String, String> payload, String key, long least) {
    String text = payload.get(key);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= MOST_MILLIS) {
        return OptionalLong.of(value);
      }
    } catch (NumberFormatException e) {
      // refused below, as any other value
    }
    throw new IllegalArgumentException(
        "%s is '%s', legal: %d to %d".formatted(key, text, least, MOST_MILLIS));
  }
}
