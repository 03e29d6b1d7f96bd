package io.counterpart.cli.cache.options;

import picocli.CommandLine.Option;

/**
 * The option that takes over servers of another tier; mixed into commands. It holds only for one
 * start.
 */
public final class AdoptOption {
  /** Its name, without a value. */
  public static final String NAME = "--adopt-empty";

  @Option(
      names = NAME,
      description =
          "Empty servers that belong to another memory tier, or whose metadata are lost, and take"
              + " them. Without it they are refused: their objects would be gone.")
  private boolean adopts;

  boolean isGiven() {
    return adopts;
  }
}
