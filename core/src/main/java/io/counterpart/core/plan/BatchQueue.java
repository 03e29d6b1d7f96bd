package io.counterpart.core.plan;

import io.counterpart.core.runs.BatchDecision;
import io.counterpart.core.runs.BatchPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/**
 * A queue of files that wait to be cut at the range groups, with the output of earlier cuts.
 * Immutable.
 */
final class BatchQueue<K extends Comparable<? super K>> {
  /**
   * Bytes of one batch: two minutes' work at Cassandra's default compaction throughput of 64 MiB/s.
   * Bounds the disk space that a task needs, and how long it holds a compaction thread while other
   * urgent work waits.
   */
  static final long MAX_BYTES = 8L << 30;

  /** Most files that a rewrite takes along: each is an open file of the task. */
  private static final int MAX_TAKEN_ALONG = 512;

  private final TaskKind kind;
  private final BatchPolicy policy;
  private final List<PlannedFile<K>> oldestFirst;
  private final Settled<K> settled;

  /**
   * What earlier rewrites have put in place.
   *
   * @param groups number of groups that a rewrite writes to
   * @param bytes of all of it
   * @param free files of one group each that no other task holds, by group
   */
  record Settled<K extends Comparable<? super K>>(
      int groups, long bytes, Collection<List<PlannedFile<K>>> free) {}

  /**
   * @param waiting the queue, in any order
   */
  BatchQueue(TaskKind kind, BatchPolicy policy, List<PlannedFile<K>> waiting, Settled<K> settled) {
    this.kind = kind;
    this.policy = policy;
    this.oldestFirst = new ArrayList<>(waiting);
    this.oldestFirst.sort(Comparator.comparingLong(PlannedFile::createdMillis));
    this.settled = settled;
  }

  BatchDecision decide(long nowMillis) {
    long newestMillis =
        oldestFirst.isEmpty() ? 0 : oldestFirst.get(oldestFirst.size() - 1).createdMillis();
    return policy.decide(
        oldestFirst.stream().map(PlannedFile::bytes).toList(),
        Duration.ofMillis(Math.max(0, nowMillis - newestMillis)),
        settled.groups(),
        settled.bytes());
  }

  /** The batch with the small files that it takes along. */
  Decision task(BatchDecision.Rewrite rewrite) {
    List<PlannedFile<K>> batch = Files.within(oldestFirst, rewrite.files(), MAX_BYTES);
    long batchBytes = Files.bytes(batch);
    List<PlannedFile<K>> along =
        takenAlong(batchBytes / Math.max(1, settled.groups()), MAX_BYTES - batchBytes);
    List<Integer> inputs = new ArrayList<>(Files.numbers(batch));
    inputs.addAll(Files.numbers(along));
    return new Decision(
        kind,
        Reason.of(rewrite.reason()),
        inputs,
        new HashSet<>(Files.numbers(along)),
        rewrite.urgent());
  }

  private List<PlannedFile<K>> takenAlong(long comingBytes, long mostBytes) {
    Comparator<PlannedFile<K>> bySize = Comparator.comparingLong(PlannedFile::bytes);
    List<PlannedFile<K>> along = new ArrayList<>();
    for (List<PlannedFile<K>> group : settled.free()) {
      List<PlannedFile<K>> ascending = group.stream().sorted(bySize).toList();
      List<Long> sizes = ascending.stream().map(PlannedFile::bytes).toList();
      along.addAll(ascending.subList(0, policy.takesAlong(sizes, comingBytes)));
    }
    along.sort(bySize);
    return along.isEmpty() || along.get(0).bytes() > mostBytes
        ? List.of()
        : Files.within(along, MAX_TAKEN_ALONG, mostBytes);
  }
}
