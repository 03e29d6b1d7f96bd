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
   * @param away names of the servers that are not usable
   */
  Optional<String> next(String what, List<String> away) {
    String message = away.isEmpty() ? what : what + "; not usable now: " + String.join(", ", away);
    boolean isNew = !message.equals(last);
    last = message;
    return isNew ? Optional.of(message) : Optional.empty();
  }
}
