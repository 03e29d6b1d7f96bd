package io.counterpart.process;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One finding about the machine.
 *
 * @param name what was looked at
 * @param passed whether a cluster can start
 * @param found the value seen
 * @param needed the value required
 */
public record Check(String name, boolean passed, String found, String needed) {
  private static final int PORTS_SHOWN = 4;

  /**
   * The finding about the ports that are wanted.
   *
   * @param taken those that are in use, with their purpose
   * @param needed the value required
   */
  public static Check ports(List<String> taken, String needed) {
    String first = taken.stream().limit(PORTS_SHOWN).collect(Collectors.joining(", "));
    int more = taken.size() - PORTS_SHOWN;
    String all = more > 0 ? first + " and " + more + " more" : first;
    return new Check("ports", taken.isEmpty(), taken.isEmpty() ? "free" : "in use: " + all, needed);
  }

  /**
   * @throws PreflightException with every check that did not pass
   */
  public static void require(List<Check> checks) {
    List<Check> failed = checks.stream().filter(check -> !check.passed()).toList();
    if (!failed.isEmpty()) {
      throw new PreflightException(failed);
    }
  }

  @Override
  public String toString() {
    return name + ": " + found + (passed ? "" : ", needed: " + needed);
  }
}
