package io.counterpart.recovery;

import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.RecoveryWay;
import java.util.List;

/**
 * The result of a recovery.
 *
 * @param node endpoint
 * @param skipped keyspaces with nothing to restore, and why
 */
public record RecoveryResult(
    String node,
    String hostId,
    List<RestoredKeyspace> keyspaces,
    List<KeyspaceDecision.Skip> skipped) {

  /** Copies. */
  public RecoveryResult {
    keyspaces = List.copyOf(keyspaces);
    skipped = List.copyOf(skipped);
  }

  /** Whether every keyspace was compared and all replicas agree. */
  public boolean inSync() {
    return keyspaces.stream().allMatch(keyspace -> keyspace.verdict() == Verdict.IN_SYNC);
  }

  /**
   * One keyspace.
   *
   * @param primaryRanges primary ranges that this run restored
   * @param redundantRanges redundant ranges that this run restored
   * @param resumedRanges ranges that earlier runs had restored
   * @param restoreSeconds from the first step's start to the last one's end
   * @param merkleSeconds the part of it in which nothing was streamed, in a repair: Merkle trees
   *     were built and compared. 0 in a rebuild
   * @param streamingSeconds the part of it in which at least one stream was under way
   * @param receivedBytes bytes that the node received by streaming meanwhile, from whatever cause
   * @param verificationSeconds comparison of all replicas, at the end
   * @param verificationDetail what Cassandra said about it
   */
  public record RestoredKeyspace(
      String keyspace,
      RecoveryWay way,
      String reason,
      int primaryRanges,
      int redundantRanges,
      int resumedRanges,
      double restoreSeconds,
      double merkleSeconds,
      double streamingSeconds,
      long receivedBytes,
      Verdict verdict,
      double verificationSeconds,
      String verificationDetail) {}
}
