package io.counterpart.recovery;

import io.counterpart.core.recovery.RecoveryPolicy;
import java.nio.file.Path;
import java.util.List;

/**
 * The choices of a recovery: keyspaces, policy, state file.
 *
 * @param keyspaces names; empty for all that users made
 * @param policy the way and the number of steps
 * @param stateFile where ranges already restored are remembered until all are; its directory is
 *     made when needed
 */
public record RecoverySettings(List<String> keyspaces, RecoveryPolicy policy, Path stateFile) {

  /** Copies. */
  public RecoverySettings {
    keyspaces = keyspaces.stream().distinct().toList();
  }
}
