package io.counterpart.cli.cache.options;

import io.counterpart.cache.service.Scheme;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says what becomes of new objects in a full tier; mixed into commands. */
final class WhenFullOption {
  /** Its name. */
  static final String NAME = "--when-full";

  private static final String EVICT = "evict";
  private static final String REFUSE = "refuse";

  @Option(
      names = NAME,
      paramLabel = "WHAT",
      description =
          "What a full tier of scheme echash does: evict, objects that nobody uses leave for new"
              + " ones; refuse, new ones are refused. Default: evict with a store, else refuse.")
  private @Nullable String whenFull;

  /**
   * Whether objects leave.
   *
   * @throws IllegalArgumentException with the value and the legal ones
   */
  boolean evicts(Scheme scheme, StoreChoice store) {
    if (whenFull == null) {
      return scheme == Scheme.ECHASH && store.isOn();
    }
    if (scheme != Scheme.ECHASH) {
      throw refused("but with scheme %s the servers decide: leave it out".formatted(scheme));
    }
    if (whenFull.equals(REFUSE)) {
      return false;
    }
    if (!whenFull.equals(EVICT)) {
      throw refused("legal: %s, %s".formatted(EVICT, REFUSE));
    }
    return true;
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("%s is '%s', %s".formatted(NAME, whenFull, why));
  }

  /** The option with its value, if it was given. */
  Map<String, String> values() {
    return whenFull == null ? Map.of() : Map.of(NAME, whenFull);
  }
}
