package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rewrites for the sake of droppable tombstones alone. A run is rewritten alone where Cassandra's
 * own estimate says that it pays. Otherwise the data that its tombstones shadow lies in older runs
 * of its group: the overlapping runs that are not newer join the rewrite, if droppable tombstones
 * exceed the threshold over all of these runs and the runs fit under a cap of bytes. Newer runs and
 * other groups are never touched.
 */
final class Purges<K extends Comparable<? super K>> {
  /** Bytes of one purge: half a minute at Cassandra's default compaction throughput. */
  static final long MAX_BYTES = 2L << 30;

  private final double threshold;

  Purges(double threshold) {
    this.threshold = threshold;
  }

  List<Decision> of(List<PlannedFile<K>> files) {
    List<Decision> found = new ArrayList<>();
    for (List<PlannedFile<K>> group : Files.byGroup(files, Role.RUN)) {
      group.stream()
          .filter(PlannedFile::isFree)
          .filter(run -> run.state().droppableShare() > threshold)
          .sorted(Comparator.comparingDouble(run -> -run.state().droppableShare()))
          .map(run -> inputs(run, group))
          .filter(inputs -> !inputs.isEmpty())
          .findFirst()
          .ifPresent(
              inputs ->
                  found.add(new Decision(TaskKind.PURGE, Reason.DROPPABLE, Files.numbers(inputs))));
    }
    return found;
  }

  private List<PlannedFile<K>> inputs(PlannedFile<K> run, List<PlannedFile<K>> group) {
    if (run.state().purgeableAlone()) {
      return List.of(run);
    }
    List<PlannedFile<K>> shadowed =
        group.stream()
            .filter(other -> other.createdMillis() <= run.createdMillis() && overlap(other, run))
            .toList();
    double droppable =
        shadowed.stream().mapToDouble(f -> f.state().droppableShare() * f.bytes()).sum();
    long bytes = Files.bytes(shadowed);
    boolean worth =
        shadowed.size() > 1
            && shadowed.stream().allMatch(PlannedFile::isFree)
            && bytes <= MAX_BYTES
            && droppable > threshold * bytes;
    return worth ? shadowed : List.of();
  }

  private static <K extends Comparable<? super K>> boolean overlap(
      PlannedFile<K> a, PlannedFile<K> b) {
    return a.first().compareTo(b.last()) <= 0 && b.first().compareTo(a.last()) <= 0;
  }
}
