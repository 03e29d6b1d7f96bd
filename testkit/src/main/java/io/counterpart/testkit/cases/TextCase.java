package io.counterpart.testkit.cases;

import java.util.List;

/**
 * One case of a text file.
 *
 * @param line where it starts in the file, 1-based
 * @param given lines that set the scene, without comments and blank lines
 * @param when lines that say what happens
 * @param then lines that are expected
 */
public record TextCase(
    String name, int line, List<String> given, List<String> when, List<String> then) {

  public TextCase {
    given = List.copyOf(given);
    when = List.copyOf(when);
    then = List.copyOf(then);
  }
}
