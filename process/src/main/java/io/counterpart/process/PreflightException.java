package io.counterpart.process;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when the machine cannot hold a cluster or tier; nothing was started or written. */
public final class PreflightException extends RuntimeException {

  /**
   * @param failed the checks that did not pass, at least one
   */
  public PreflightException(List<Check> failed) {
    super(
        "cannot start: " + failed.stream().map(Check::toString).collect(Collectors.joining("; ")));
  }
}
