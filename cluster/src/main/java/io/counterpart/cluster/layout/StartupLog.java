package io.counterpart.cluster.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the cause of a failed start in a node's log and console. */
public final class StartupLog {

  private static final Pattern PREFIX =
      Pattern.compile("^ERROR \\[[^]]*] [-\\d]+[ T][\\d:,]+ (\\S+ - )?");
  private static final Pattern THROWABLE =
      Pattern.compile("^(Caused by: )?([\\w$]+\\.)+[\\w$]*(Exception|Error)\\b.*");
  private static final Pattern CONSOLE_CAUSE =
      Pattern.compile(
          "^(Error|Exception|Unrecognized|Invalid|Could not|OpenJDK.*(error|fail)|Fatal).*");
  private static final int MAX_LINES = 3;

  private StartupLog() {}

  /** The cause in at most a few lines. */
  public static String cause(NodeLayout node) {
    List<String> errors = errors(lines(node.systemLog()));
    if (!errors.isEmpty()) {
      return String.join("; ", errors);
    }
    List<String> console = lines(node.console());
    List<String> causes =
        console.stream()
            .filter(
                line -> CONSOLE_CAUSE.matcher(line).matches() || THROWABLE.matcher(line).matches())
            .limit(MAX_LINES)
            .toList();
    if (!causes.isEmpty()) {
      return String.join("; ", causes);
    }
    return console.isEmpty()
        ? "its process ended without a message"
        : console.get(console.size() - 1).strip();
  }

  /** Whether the last run of a node ended after it had been decommissioned, or failed for that. */
  public static boolean hasLeft(NodeLayout node) {
    return lines(node.systemLog()).stream()
        .anyMatch(
            line ->
                line.endsWith("- DECOMMISSIONED")
                    || line.contains("This node was decommissioned and will not rejoin the ring"));
  }

  /**
   * Lets the next start have a log of its own: a failed one must not be explained by an older one.
   * A mark in the data keeps that the node has been in the ring.
   */
  public static void begin(NodeLayout node) throws IOException {
    if (node.hasData() && hasBeenInRing(node)) {
      Files.write(mark(node), List.of());
    }
    Files.deleteIfExists(node.systemLog());
  }

  private static Path mark(NodeLayout node) {
    return node.data().resolve("been-in-ring");
  }

  /** Whether a node has been in the ring, as far back as its log goes, and by its data's mark. */
  public static boolean hasBeenInRing(NodeLayout node) {
    if (Files.exists(mark(node))) {
      return true;
    }
    String normal = "- Node /%s:".formatted(node.address());
    return lines(node.systemLog()).stream()
        .anyMatch(line -> line.endsWith("state jump to NORMAL") && line.contains(normal));
  }

  private static List<String> errors(List<String> lines) {
    List<String> errors = new ArrayList<>();
    boolean inError = false;
    for (String line : lines) {
      if (line.startsWith("ERROR ")) {
        inError = true;
        errors.add(PREFIX.matcher(line).replaceFirst("").strip());
      } else if (inError && THROWABLE.matcher(line).matches()) {
        errors.add(line.strip());
      } else if (line.matches("^(INFO|WARN|DEBUG) .*")) {
        inError = false;
      }
    }
    List<String> distinct = errors.stream().distinct().toList();
    return distinct.subList(0, Math.min(MAX_LINES, distinct.size()));
  }

  private static List<String> lines(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    // ISO 8859-1 cannot fail on a byte, and the words looked for are ASCII
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
