package io.counterpart.process;

/**
 * One finding about the machine.
 *
 * @param name what was looked at
 * @param passed whether a cluster can start
 * @param found the value seen
 * @param needed the value required
 */
public record Check(String name, boolean passed, String found, String needed) {

  @Override
  public String toString() {
    return name + ": " + found + (passed ? "" : ", needed: " + needed);
  }
}
