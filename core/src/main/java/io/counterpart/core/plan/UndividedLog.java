package io.counterpart.core.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The log of a small table. Each file holds copies of all groups, and files merge four at a time as
 * in UCS {@code T4}, which bounds their number.
 *
 * <p>Level i holds the files from b·4^i to b·4^(i+1), where b is a little below the size of a flush
 * and 1 MiB at least, as in Cassandra's own unified strategy. Four files of a level merge. Unlike
 * UCS, they first wait: until the table is quiet, or until they have waited ten times as long, or
 * until the log has as many files as a read may look at. So a table under load grows out of the log
 * without merges on the way, and one rewrite divides it.
 *
 * <p>Aligned files in a table that has shrunk count as one file together: they join the merge of
 * their level.
 */
final class UndividedLog<K extends Comparable<? super K>> {
  private static final int FANOUT = 4;
  private static final double LEEWAY = 0.9;
  private static final long LEAST_FLUSH_BYTES = 1L << 20;

  /** Waiting time of files in a table that never gets quiet, in multiples of the quiet time. */
  private static final int BUSY_WAIT = 10;

  private final Duration quietTime;
  private final int maxFiles;
  private final double baseBytes;
  private final long nowMillis;

  /**
   * @param quietTime without a flush, after which a table is quiet
   * @param maxFiles at which the log is at its limit
   */
  UndividedLog(Duration quietTime, int maxFiles, long flushBytes, long nowMillis) {
    this.quietTime = quietTime;
    this.maxFiles = maxFiles;
    this.baseBytes = Math.max(LEAST_FLUSH_BYTES, flushBytes) * (1 - LEEWAY / FANOUT);
    this.nowMillis = nowMillis;
  }

  /** Files that merge as one. */
  private record Entry<K extends Comparable<? super K>>(List<PlannedFile<K>> files) {
    long newestMillis() {
      return files.stream().mapToLong(PlannedFile::createdMillis).max().orElse(0);
    }
  }

  /** The merge that is due, if any. */
  Optional<Decision> due(List<PlannedFile<K>> files) {
    Map<Integer, List<Entry<K>>> levels = levels(files);
    int count = levels.values().stream().mapToInt(List::size).sum();
    if (count >= maxFiles && fullest(levels).size() >= FANOUT) {
      return Optional.of(merge(fullest(levels), Reason.LIMIT));
    }
    boolean quiet = untilQuiet(levels).compareTo(Duration.ZERO) <= 0;
    long waitedSince = nowMillis - quietTime.multipliedBy(BUSY_WAIT).toMillis();
    for (List<Entry<K>> level : levels.values()) {
      List<Entry<K>> waited =
          level.stream().filter(e -> quiet || e.newestMillis() <= waitedSince).toList();
      if (waited.size() >= FANOUT) {
        return Optional.of(merge(waited, Reason.ALIKE));
      }
    }
    return Optional.empty();
  }

  /** Time without a flush until a merge is due; empty where there is none to come, or it is due. */
  Optional<Duration> untilQuiet(List<PlannedFile<K>> files) {
    Map<Integer, List<Entry<K>>> levels = levels(files);
    boolean alike = levels.values().stream().anyMatch(level -> level.size() >= FANOUT);
    return alike && due(files).isEmpty() ? Optional.of(untilQuiet(levels)) : Optional.empty();
  }

  /** Flushes are in the lowest level; what is above was merged before. */
  private Duration untilQuiet(Map<Integer, List<Entry<K>>> levels) {
    long newestMillis =
        levels.values().stream()
            .limit(1)
            .flatMap(List::stream)
            .mapToLong(Entry::newestMillis)
            .max()
            .orElse(0);
    return quietTime.minusMillis(Math.max(0, nowMillis - newestMillis));
  }

  private static <K extends Comparable<? super K>> List<Entry<K>> fullest(
      Map<Integer, List<Entry<K>>> levels) {
    return levels.values().stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
  }

  private static <K extends Comparable<? super K>> Decision merge(
      List<Entry<K>> level, Reason reason) {
    List<PlannedFile<K>> inputs = level.stream().flatMap(entry -> entry.files().stream()).toList();
    return new Decision(
        TaskKind.LOG_MERGE, reason, Files.numbers(inputs), Set.of(), reason == Reason.LIMIT);
  }

  /** By level, lowest first; none is empty. */
  private Map<Integer, List<Entry<K>>> levels(List<PlannedFile<K>> files) {
    List<Entry<K>> entries = new ArrayList<>();
    layers(files).forEach(layer -> entries.add(new Entry<>(layer)));
    files.stream()
        .filter(file -> !file.isAligned())
        .forEach(file -> entries.add(new Entry<>(List.of(file))));
    Map<Integer, List<Entry<K>>> levels = new TreeMap<>();
    for (Entry<K> entry : entries) {
      levels.computeIfAbsent(level(Files.bytes(entry.files())), l -> new ArrayList<>()).add(entry);
    }
    return levels;
  }

  /**
   * Aligned files, one of each group in a layer: a table that was divided is one layer, and a key
   * that is written again and again, whose flushes lie in one group, adds a layer with each flush.
   */
  private static <K extends Comparable<? super K>> List<List<PlannedFile<K>>> layers(
      List<PlannedFile<K>> files) {
    Map<String, Integer> depths = new HashMap<>();
    List<List<PlannedFile<K>>> layers = new ArrayList<>();
    files.stream()
        .filter(PlannedFile::isAligned)
        .sorted(Comparator.comparingLong(PlannedFile::createdMillis))
        .forEach(
            file -> {
              int layer = depths.merge(file.role() + "/" + file.group(), 1, Integer::sum) - 1;
              if (layer == layers.size()) {
                layers.add(new ArrayList<>());
              }
              layers.get(layer).add(file);
            });
    return layers;
  }

  private int level(long bytes) {
    double ratio = bytes / baseBytes;
    return ratio < FANOUT ? 0 : (int) Math.floor(Math.log(ratio) / Math.log(FANOUT));
  }
}
