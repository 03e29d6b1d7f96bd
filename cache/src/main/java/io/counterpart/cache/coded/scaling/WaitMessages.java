package io.counterpart.cache.coded.scaling;

import java.util.List;
import java.util.Optional;

/** Why a change of servers does not go on, for the log: each answer once. Not thread-safe. */
final class WaitMessages {
  private String last = "";

  /**
   * The message, unless it was the last one.
   *
   * @param what what does not go on
   * @param unusable names of the servers that are not usable
   */
  Optional<String> next(String what, List<String> unusable) {
    String message =
        unusable.isEmpty() ? what : what + "; not usable now: " + String.join(", ", unusable);
    boolean isNew = !message.equals(last);
    last = message;
    return isNew ? Optional.of(message) : Optional.empty();
  }

  /** The wait is over: the next one is told again. */
  void end() {
    last = "";
  }
}
