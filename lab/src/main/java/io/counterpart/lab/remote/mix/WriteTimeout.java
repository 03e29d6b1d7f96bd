package io.counterpart.lab.remote.mix;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A time-out as a node shows it among its settings. */
final class WriteTimeout {
  /** For a node that shows none: twice the longest default. */
  private static final Duration UNKNOWN = Duration.ofSeconds(10);

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private WriteTimeout() {}

  static Duration parse(@Nullable String text) {
    Matcher form = FORM.matcher(text == null ? "" : text);
    if (!form.matches()) {
      return UNKNOWN;
    }
    long value = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(value);
      case "s" -> Duration.ofSeconds(value);
      default -> Duration.ofMinutes(value);
    };
  }
}
