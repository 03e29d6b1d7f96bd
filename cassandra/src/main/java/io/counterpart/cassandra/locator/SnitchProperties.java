package io.counterpart.cassandra.locator;

import io.counterpart.core.selection.EngineOrder;
import io.counterpart.core.selection.HedgeBudget;
import io.counterpart.core.selection.SelectionRules;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The system properties of {@link PrimaryFirstSnitch} but for the delegate. Stateless. */
final class SnitchProperties {
  private static final String PREFIX = "counterpart.snitch.";
  private static final List<String> KNOWN =
      List.of(
          PrimaryFirstSnitch.DELEGATE_PROPERTY,
          PrimaryFirstSnitch.TIE_PROPERTY,
          PrimaryFirstSnitch.HEDGE_PROPERTY,
          PrimaryFirstSnitch.ENGINES_PROPERTY);
  private static final long MOST_MILLIS = 10_000;

  private SnitchProperties() {}

  /**
   * Refuses unknown properties of the snitch, and bad values.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause
   */
  static void check() {
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
        throw refused("system property " + name + " is unknown; legal: " + KNOWN);
      }
    }
    rules();
    hedgeShare();
    engineOrder();
  }

  /** The order of engine classes; {@link EngineOrder#NONE} where none is set. */
  static EngineOrder engineOrder() {
    String value = System.getProperty(PrimaryFirstSnitch.ENGINES_PROPERTY);
    try {
      return value == null ? EngineOrder.NONE : EngineOrder.parse(value);
    } catch (IllegalArgumentException e) {
      throw refused(
          "system property %s is %s (default: none)"
              .formatted(PrimaryFirstSnitch.ENGINES_PROPERTY, e.getMessage()));
    }
  }

  /** The plugin's constants with the tie τ of {@value PrimaryFirstSnitch#TIE_PROPERTY}. */
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
    throw refused(
        String.format(
            "system property %s is '%s'; legal: whole milliseconds from 1 to %d (default %d)",
            PrimaryFirstSnitch.TIE_PROPERTY,
            value,
            MOST_MILLIS,
            SelectionRules.DEFAULT.tie().toMillis()));
  }

  /** The share of reads that may be hedged; empty where Cassandra alone decides. */
  static OptionalDouble hedgeShare() {
    String value = System.getProperty(PrimaryFirstSnitch.HEDGE_PROPERTY);
    if (value == null) {
      return OptionalDouble.empty();
    }
    if (value.trim().matches("\\d?\\.\\d{1,9}")) {
      double share = Double.parseDouble(value.trim());
      if (HedgeBudget.isLegal(share)) {
        return OptionalDouble.of(share);
      }
    }
    throw refused(
        String.format(
            "system property %s is '%s'; legal: a share from %s to %s (default: none)",
            PrimaryFirstSnitch.HEDGE_PROPERTY,
            value.trim(),
            HedgeBudget.LEAST_SHARE,
            HedgeBudget.MOST_SHARE));
  }

  private static IllegalArgumentException refused(String message) {
    return new IllegalArgumentException(message, new ConfigurationException(message));
  }
}
