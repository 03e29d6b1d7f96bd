package io.counterpart.cli.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long operations are counted; an option group. */
final class AdviseWindow {
  private static final Pattern FORM = Pattern.compile("(\\d{1,5})([smh])");
  private static final int DEFAULT_SECONDS = 60;
  private static final int MOST_SECONDS = 24 * 3600;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long operations are counted, 1s to 24h, as 60s or 10m (default: 60s).")
  private @Nullable String time;

  @Option(names = "--since-start", description = "Count since each node's start instead, at once.")
  private boolean sinceStart;

  boolean isSinceStart() {
    return sinceStart;
  }

  /**
   * The window.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  int seconds() {
    if (time == null) {
      return DEFAULT_SECONDS;
    }
    Matcher form = FORM.matcher(time);
    int seconds =
        form.matches()
            ? Integer.parseInt(form.group(1))
                * switch (form.group(2)) {
                  case "s" -> 1;
                  case "m" -> 60;
                  default -> 3600;
                }
            : 0;
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw new IllegalArgumentException(
          "--for is '%s', legal: 1s to 24h, as 60s, 10m or 2h".formatted(time));
    }
    return seconds;
  }
}
