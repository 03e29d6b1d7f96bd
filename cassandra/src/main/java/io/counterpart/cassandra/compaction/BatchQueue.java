package io.counterpart.cassandra.compaction;

import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Sstables that wait to be cut at the range groups, and what earlier cuts have made of their like.
 * Immutable.
 */
final class BatchQueue {
  /** Most sstables that a rewrite takes along: each is an open file of the task. */
  private static final int MAX_TAKEN_ALONG = 512;

  private static final Comparator<SSTableReader> BY_SIZE =
      Comparator.comparingLong(SSTableReader::onDiskLength);

  private final Work.Kind kind;
  private final BatchPolicy policy;
  private final List<SSTableReader> oldestFirst;
  private final Settled settled;

  /**
   * What earlier rewrites have put in place.
   *
   * @param groups number of groups that a rewrite writes to
   * @param bytes of all of it
   * @param free sstables of one group each that no other task holds, by group
   */
  record Settled(int groups, long bytes, Collection<List<SSTableReader>> free) {
    static Settled nothing(int groups) {
      return new Settled(groups, 0, List.of());
    }
  }

  /**
   * @param waiting the queue, in any order
   */
  BatchQueue(Work.Kind kind, BatchPolicy policy, List<SSTableReader> waiting, Settled settled) {
    this.kind = kind;
    this.policy = policy;
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
        settled.groups(),
        settled.bytes());
  }

  /** The batch with the small sstables that it takes along. */
  Work work(BatchDecision.Rewrite rewrite) {
    List<SSTableReader> inputs = new ArrayList<>(oldestFirst.subList(0, rewrite.files()));
    List<SSTableReader> along = takenAlong(Catalog.bytes(inputs) / Math.max(1, settled.groups()));
    inputs.addAll(along);
    return new Work(kind, inputs, new HashSet<>(along), rewrite.urgent());
  }

  private List<SSTableReader> takenAlong(long comingBytes) {
    List<SSTableReader> along = new ArrayList<>();
    for (List<SSTableReader> group : settled.free()) {
      List<SSTableReader> ascending = group.stream().sorted(BY_SIZE).toList();
      List<Long> sizes = ascending.stream().map(SSTableReader::onDiskLength).toList();
      along.addAll(ascending.subList(0, policy.takesAlong(sizes, comingBytes)));
    }
    along.sort(BY_SIZE);
    return along.subList(0, Math.min(MAX_TAKEN_ALONG, along.size()));
  }
}
