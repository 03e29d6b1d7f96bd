package io.counterpart.core.recovery;

import java.util.Set;

/**
 * The ranges of a keyspace that earlier runs restored.
 *
 * @param way how; {@link RecoveryWay#REPLACE} never leaves anything to resume
 */
public record Restored(RecoveryWay way, Set<TokenRange> ranges) {

  /** Copies. */
  public Restored {
    ranges = Set.copyOf(ranges);
  }
}
