package io.counterpart.core.recovery;

import java.util.OptionalLong;
import java.util.Set;

/**
 * The observed state of one keyspace on the node to recover.
 *
 * @param tables tables in it
 * @param formatsByRole whether any of the tables has a format of its own for redundant copies
 * @param held what the node has of the keyspace
 * @param unreachable endpoints, of any datacenter, that the node does not see alive
 * @param rebuildsRepeatedly whether the node takes a second rebuild of a keyspace; Cassandra
 *     refuses one unless it runs with {@code cassandra.reset_bootstrap_progress=true}
 * @param bytesOfOthers average bytes of another node's sstables, all keyspaces together, which
 *     predicts this node's; empty if unknown
 */
public record KeyspaceSituation(
    String keyspace,
    OwnedRanges ranges,
    int tables,
    boolean formatsByRole,
    HeldBytes held,
    Set<String> unreachable,
    boolean rebuildsRepeatedly,
    OptionalLong bytesOfOthers) {

  /** Copies. */
  public KeyspaceSituation {
    unreachable = Set.copyOf(unreachable);
  }
}
