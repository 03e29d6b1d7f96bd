package io.counterpart.cli.cache.options;

import io.counterpart.cache.service.Scheme;
import io.counterpart.cache.service.SchemeOptions;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option of the number of shards of a tier with a code; mixed into commands. */
final class ShardsOption {
  /** Its name. */
  static final String NAME = "--shards";

  @Option(
      names = NAME,
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Shards of a tier with a code, 1 to 16: shares of the keys, each with a thread of the proxy"
              + " and with servers of its own, at least N of the code. For machines with free cores."
              + " A tier keeps its number for good (default: 1).")
  private int shards;

  /**
   * The number of shards.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  int number(Scheme scheme) {
    if (shards < 1 || shards > SchemeOptions.MOST_SHARDS) {
      throw new IllegalArgumentException(
          "%s is %d, not in 1..%d".formatted(NAME, shards, SchemeOptions.MOST_SHARDS));
    }
    if (!scheme.isCoded() && shards != 1) {
      throw new IllegalArgumentException(
          "%s is %d, not 1, as scheme %s needs".formatted(NAME, shards, scheme));
    }
    return shards;
  }

  /** The option with its value, unless that is the default. */
  Map<String, String> values() {
    return shards == 1 ? Map.of() : Map.of(NAME, String.valueOf(shards));
  }
}
