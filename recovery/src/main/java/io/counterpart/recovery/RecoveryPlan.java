package io.counterpart.recovery;

import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.RecoveryStep;
import java.util.List;

/**
 * The plan of a recovery.
 *
 * @param node endpoint of the node
 * @param hostId its id in the ring
 */
public record RecoveryPlan(
    String node,
    String hostId,
    List<KeyspaceDecision.Restore> restores,
    List<KeyspaceDecision.Skip> skips) {

  /** Copies. */
  public RecoveryPlan {
    restores = List.copyOf(restores);
    skips = List.copyOf(skips);
  }

  double ringFraction() {
    return restores.stream()
        .flatMap(restore -> restore.steps().stream())
        .mapToDouble(RecoveryStep::ringFraction)
        .sum();
  }
}
