package io.counterpart.cassandra.options;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.utils.FBUtilities;

/** Reads typed values out of an option map; every failure names option, value and legal range. */
final class OptionReader {
  private final Map<String, String> options;

  OptionReader(Map<String, String> options) {
    this.options = options;
  }

  String text(String name, String absent) {
    return options.getOrDefault(name, absent).trim();
  }

  int integer(String name, int absent, int least, int most) {
    return integer(name, absent, least, most, "");
  }

  int integer(String name, int absent, int least, int most, String alsoLegal) {
    String given = options.get(name);
    if (given == null) {
      return absent;
    }
    try {
      int value = Integer.parseInt(given.trim());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below together with values out of range
    }
    String range = "a whole number from " + least + " to " + most;
    throw illegal(name, given, alsoLegal.isEmpty() ? range : range + " " + alsoLegal);
  }

  long bytes(String name, long absent, long least, long most) {
    String given = options.get(name);
    if (given == null) {
      return absent;
    }
    try {
      long value = parseBytes(given.trim());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below together with values out of range
    }
    throw illegal(
        name,
        given,
        "a size such as 8MiB, from "
            + FBUtilities.prettyPrintMemory(least)
            + " to "
            + FBUtilities.prettyPrintMemory(most));
  }

  private static long parseBytes(String given) {
    // a number without a unit is in bytes; Cassandra's parser wants the unit
    boolean plain = !given.isEmpty() && given.chars().allMatch(Character::isDigit);
    return plain ? Long.parseLong(given) : FBUtilities.parseHumanReadableBytes(given);
  }

  <E extends Enum<E>> E choice(String name, Class<E> type, E absent) {
    String given = options.get(name);
    if (given == null) {
      return absent;
    }
    for (E value : type.getEnumConstants()) {
      if (value.name().equalsIgnoreCase(given.trim())) {
        return value;
      }
    }
    throw illegal(name, given, Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
  }

  static ConfigurationException illegal(String name, String value, String legal) {
    return new ConfigurationException(
        "compaction option '" + name + "' is '" + value + "', legal: " + legal);
  }
}
