package io.counterpart.core.plan;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** One line of a text case: words, and named arguments such as {@code bytes=64MiB}. */
record CaseWords(String line, Map<String, String> named) {

  static CaseWords of(String line) {
    Map<String, String> named = new LinkedHashMap<>();
    for (String word : line.split(" ")) {
      int equals = word.indexOf('=');
      named.put(
          equals < 0 ? "word" + named.size() : word.substring(0, equals),
          equals < 0 ? word : word.substring(equals + 1));
    }
    return new CaseWords(line, named);
  }

  String word(int index) {
    return text("word" + index, "");
  }

  String text(String name, String absent) {
    return named.getOrDefault(name, absent);
  }

  int number(String name, int absent) {
    return named.containsKey(name) ? Integer.parseInt(text(name, "")) : absent;
  }

  double share(String name) {
    return Double.parseDouble(text(name, "0"));
  }

  long bytes(String name, String absent) {
    String given = text(name, absent);
    String unit = given.replaceAll("[0-9.]", "");
    long factor =
        switch (unit) {
          case "KiB" -> 1L << 10;
          case "MiB" -> 1L << 20;
          case "GiB" -> 1L << 30;
          case "" -> 1;
          default -> throw new IllegalArgumentException("size " + given + " in " + line);
        };
    return Math.round(
        Double.parseDouble(given.substring(0, given.length() - unit.length())) * factor);
  }

  Duration time(String name, String absent) {
    String given = text(name, absent);
    long amount = Long.parseLong(given.substring(0, given.length() - 1));
    return switch (given.charAt(given.length() - 1)) {
      case 's' -> Duration.ofSeconds(amount);
      case 'h' -> Duration.ofHours(amount);
      case 'd' -> Duration.ofDays(amount);
      default -> throw new IllegalArgumentException("time " + given + " in " + line);
    };
  }
}
