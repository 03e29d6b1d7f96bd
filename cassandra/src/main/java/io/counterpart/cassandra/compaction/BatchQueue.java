package io.counterpart.cassandra.compaction;

import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Sstables that wait to be cut at the range groups, and what earlier cuts have made of their like.
 * Immutable.
 */
final class BatchQueue {
  private final Work.Kind kind;
  private final BatchPolicy policy;
  private final int groups;
  private final List<SSTableReader> oldestFirst;
  private final List<SSTableReader> settled;

  /**
   * @param groups number of groups that a rewrite writes to
   * @param waiting the queue, in any order
   * @param settled sstables of one group each, written by earlier rewrites
   */
  BatchQueue(
      Work.Kind kind,
      BatchPolicy policy,
      int groups,
      List<SSTableReader> waiting,
      List<SSTableReader> settled) {
    this.kind = kind;
    this.policy = policy;
    this.groups = Math.max(1, groups);
    this.oldestFirst = new ArrayList<>(waiting);
    this.oldestFirst.sort(Comparator.comparingLong(SSTableReader::getDataCreationTime));
    this.settled = settled;
  }

  BatchDecision decide(long nowMillis) {
    long newestMillis =
        oldestFirst.isEmpty() ? 0 : oldestFirst.get(oldestFirst.size() - 1).getDataCreationTime();
    return policy.decide(
        oldestFirst.stream().map(SSTableReader::onDiskLength).toList(),
        Duration.ofMillis(Math.max(0, nowMillis - newestMillis)),
        groups,
        Catalog.bytes(settled));
  }

  /** The batch with the small sstables that it takes along. */
  Work work(BatchDecision.Rewrite rewrite) {
    List<SSTableReader> inputs = new ArrayList<>(oldestFirst.subList(0, rewrite.files()));
    long comingBytes = Catalog.bytes(inputs) / groups;
    for (SSTableReader sstable : settled) {
      if (policy.takesAlong(sstable.onDiskLength(), comingBytes)) {
        inputs.add(sstable);
      }
    }
    return new Work(kind, inputs, rewrite.urgent());
  }
}
