package io.counterpart.cassandra.locator;

import io.counterpart.core.selection.SelectionRules;
import java.time.Duration;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The system property {@value PrimaryFirstSnitch#TIE_PROPERTY}: τ in whole milliseconds, the
 * difference of latencies that is not worth a read from disk. Stateless.
 */
final class TieProperty {
  private static final long MOST_MILLIS = 10_000;

  private TieProperty() {}

  /**
   * The plugin's constants with that tie.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause
   */
  static SelectionRules rules() {
    String value = System.getProperty(PrimaryFirstSnitch.TIE_PROPERTY);
    return value == null
        ? SelectionRules.DEFAULT
        : SelectionRules.DEFAULT.withTie(Duration.ofMillis(millis(value.trim())));
  }

  private static long millis(String value) {
    if (value.matches("\\d{1,5}")) {
      long millis = Long.parseLong(value);
      if (millis >= 1 && millis <= MOST_MILLIS) {
        return millis;
      }
    }
    String message =
        String.format(
            "system property %s is '%s'; legal: whole milliseconds from 1 to %d (default %d)",
            PrimaryFirstSnitch.TIE_PROPERTY,
            value,
            MOST_MILLIS,
            SelectionRules.DEFAULT.tie().toMillis());
    throw new IllegalArgumentException(message, new ConfigurationException(message));
  }
}
