package io.counterpart.cassandra.consistency.policy;

import io.counterpart.core.staleness.decide.AdjustmentMode;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.decide.PolicyText;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What the node's JVM options say.
 *
 * @param defaults the policy of tables without one of their own; never {@code lower}
 * @param budget of errors, by the time between two looks
 * @param startAbsence for how long each replica counts as away before this node's start; unless
 *     set, for as long as Cassandra keeps hints for one
 * @param delegates whether requests go to another custom handler behind this one
 */
public record ConsistencySettings(
    ConsistencyPolicy defaults, ErrorBudget budget, Duration startAbsence, boolean delegates) {
  public static final String PREFIX = "counterpart.consistency.";
  public static final String DELEGATE = PREFIX + "delegate";
  private static final String MODE = PREFIX + "mode";
  private static final String EPSILON = PREFIX + "epsilon";
  private static final String READ_REPAIR_CHANCE = PREFIX + "read_repair_chance";
  private static final String LOOK = PREFIX + "look_seconds";
  private static final String START_ABSENCE = PREFIX + "start_absence_seconds";
  private static final long MOST_START_ABSENCE_SECONDS = 604_800;
  private static final List<String> ALL =
      List.of(DELEGATE, MODE, EPSILON, READ_REPAIR_CHANCE, LOOK, START_ABSENCE);

  /**
   * Reads the properties.
   *
   * @throws ConfigurationException with property, value and legal range
   */
  public static ConsistencySettings from(Properties properties) {
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(PREFIX) && !ALL.contains(name)) {
        throw new ConfigurationException(
            "system property " + name + " is unknown, legal: one of " + ALL);
      }
    }
    return new ConsistencySettings(
        defaults(properties),
        budget(properties),
        startAbsence(properties),
        properties.getProperty(DELEGATE) != null);
  }

  private static ConsistencyPolicy defaults(Properties properties) {
    Map<String, String> text = new HashMap<>();
    put(text, "mode", properties.getProperty(MODE));
    put(text, "epsilon", properties.getProperty(EPSILON));
    put(text, "read_repair_chance", properties.getProperty(READ_REPAIR_CHANCE));
    try {
      if (AdjustmentMode.LOWER.name().equalsIgnoreCase(text.get("mode"))) {
        throw new IllegalArgumentException(
            "mode is 'lower', legal: off, raise; lower needs a policy of the table, with a floor");
      }
      return PolicyText.parse(text, ConsistencyPolicy.DEFAULT);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("system properties " + PREFIX + "*: " + e.getMessage(), e);
    }
  }

  private static void put(Map<String, String> text, String option, @Nullable String value) {
    if (value != null) {
      text.put(option, value);
    }
  }

  private static ErrorBudget budget(Properties properties) {
    return new ErrorBudget(
        ErrorBudget.HOURLY.delta(),
        ErrorBudget.HOURLY.period(),
        seconds(LOOK, properties.getProperty(LOOK, "30"), 30));
  }

  private static Duration startAbsence(Properties properties) {
    String text = properties.getProperty(START_ABSENCE);
    return text == null
        ? Duration.ofMillis(DatabaseDescriptor.getMaxHintWindow())
        : seconds(START_ABSENCE, text, MOST_START_ABSENCE_SECONDS);
  }

  private static Duration seconds(String property, String text, long most) {
    try {
      long seconds = Long.parseLong(text.trim());
      if (seconds >= 1 && seconds <= most) {
        return Duration.ofSeconds(seconds);
      }
    } catch (NumberFormatException e) {
      // refused below, as any other value
    }
    throw new ConfigurationException(
        "system property %s is '%s', legal: 1 to %d".formatted(property, text, most));
  }
}
