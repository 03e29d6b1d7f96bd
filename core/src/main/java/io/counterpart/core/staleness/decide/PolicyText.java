package io.counterpart.core.staleness.decide;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads a {@link ConsistencyPolicy} as operators write it, by column or option. Stateless. */
public final class PolicyText {
  private static final List<String> OPTIONS =
      List.of("mode", "epsilon", "floor", "window_ms", "read_repair_chance");

  private PolicyText() {}

  /**
   * The policy.
   *
   * @param text values by option; what is absent is as in {@code defaults}
   * @throws IllegalArgumentException with option, value and legal range
   */
  public static ConsistencyPolicy parse(Map<String, String> text, ConsistencyPolicy defaults) {
    for (String option : text.keySet()) {
      if (!OPTIONS.contains(option)) {
        throw new IllegalArgumentException(
            "option is %s, legal: one of %s".formatted(option, OPTIONS));
      }
    }
    AdjustmentMode mode = option(text, "mode").map(PolicyText::mode).orElse(defaults.mode());
    return new ConsistencyPolicy(
        mode,
        option(text, "epsilon")
            .map(value -> number("epsilon", value, "above 0 and below 1"))
            .orElse(defaults.epsilon()),
        option(text, "floor").map(PolicyText::floor),
        option(text, "window_ms")
            .map(value -> OptionalLong.of(window(value)))
            .orElse(defaults.windowMillis()),
        option(text, "read_repair_chance")
            .map(value -> number("read_repair_chance", value, "0 to 1"))
            .orElse(defaults.readRepairChance()));
  }

  private static Optional<String> option(Map<String, String> text, String name) {
    return Optional.ofNullable(text.get(name)).map(String::trim);
  }

  private static AdjustmentMode mode(String value) {
    try {
      return AdjustmentMode.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "mode is '%s', legal: off, raise, lower".formatted(value), e);
    }
  }

  private static double number(String option, String value, String legal) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is '%s', legal: %s".formatted(option, value, legal), e);
    }
  }

  private static ReadLevel floor(String value) {
    return Arrays.stream(ReadLevel.values())
        .filter(level -> level.isAdjustable() && level.name().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "floor is '%s', legal: ONE, TWO, THREE, QUORUM, LOCAL_ONE, LOCAL_QUORUM"
                        .formatted(value)));
  }

  private static long window(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "window_ms is '%s', legal: 0 to %d"
              .formatted(value, ConsistencyPolicy.MOST_WINDOW_MILLIS),
          e);
    }
  }
}
