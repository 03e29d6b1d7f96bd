package io.counterpart.cli.predict;

import io.counterpart.core.staleness.Delays;
import io.counterpart.core.staleness.WarsModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads models of delays, and times, as users write them. */
final class DelayFile {
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s)");
  private static final List<String> PARTS = List.of("write", "ack", "read", "response");

  private DelayFile() {}

  /**
   * The model of that name, or of the file.
   *
   * @throws IllegalArgumentException if there is neither, or a line is not as it should be
   */
  static WarsModel model(String nameOrFile) {
    WarsModel published = WarsModel.published().get(nameOrFile);
    if (published != null) {
      return published;
    }
    Path file = Path.of(nameOrFile);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "--model is '%s', legal: one of %s, or a file"
              .formatted(nameOrFile, WarsModel.published().keySet()));
    }
    Map<String, Delays> delays = new HashMap<>();
    for (String line : lines(file)) {
      String[] words = line.trim().split("\\s+");
      if (!PARTS.contains(words[0]) || words.length < 2) {
        throw new IllegalArgumentException(
            "%s has the line '%s', legal: one of %s and delays in ms".formatted(file, line, PARTS));
      }
      delays.put(words[0], new Delays.Measured(delays(file, words)));
    }
    return new WarsModel(
        part(delays, "write", file),
        part(delays, "ack", file),
        part(delays, "read", file),
        part(delays, "response", file));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static double[] delays(Path file, String[] words) {
    try {
      return Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s, %s: %s, legal: delays in ms".formatted(file, words[0], e.getMessage()), e);
    }
  }

  private static Delays part(Map<String, Delays> delays, String name, Path file) {
    Delays part = delays.get(name);
    if (part == null) {
      throw new IllegalArgumentException(
          "%s has no line '%s', legal: one line each of %s".formatted(file, name, PARTS));
    }
    return part;
  }

  /** A time in milliseconds. */
  static double millis(String time) {
    Matcher matcher = TIME.matcher(time.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--t is '%s', legal: a time such as 10ms, 500us or 2s".formatted(time));
    }
    double value = Double.parseDouble(matcher.group(1));
    return switch (matcher.group(2)) {
      case "us" -> value / 1000;
      case "s" -> value * 1000;
      default -> value;
    };
  }
}
