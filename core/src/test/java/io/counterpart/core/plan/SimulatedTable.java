package io.counterpart.core.plan;

import io.counterpart.core.ring.Role;
import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.Tiered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One node's part of a table at RF 3 with 16 tokens: flushed at even times, compacted as the {@link
 * Planner} says, or as stock UCS {@code T4} does. Counts bytes; keys spread evenly and are written
 * once.
 */
final class SimulatedTable {
  static final int PRIMARY_GROUPS = 16;
  static final int REDUNDANT_GROUPS = 32;
  private static final int GROUPS = PRIMARY_GROUPS + REDUNDANT_GROUPS;
  private static final long FOREVER_HOURS = 1L << 40;

  private final Setup setup;
  private final List<SimulatedFile> files = new ArrayList<>();
  private long nowMillis = Duration.ofDays(1000).toMillis();
  private double compacted;
  private int mostFiles;

  /**
   * @param planner null for stock UCS {@code T4}
   * @param ttl after which data expire; null for never
   */
  record Setup(
      @Nullable Planner<Integer> planner,
      double flushBytes,
      Duration betweenFlushes,
      @Nullable Duration ttl) {}

  SimulatedTable(Setup setup) {
    this.setup = setup;
  }

  static Planner<Integer> planner(long minRunBytes, Duration idle, SmallTable small) {
    return new Planner<>(
        new PlanOptions(
            new BatchPolicy(20, 64, minRunBytes, idle),
            new BatchPolicy(12, 32, minRunBytes, idle),
            group -> new Tiered(20),
            small,
            0.2));
  }

  double compactedBytes() {
    return compacted;
  }

  double bytes() {
    return files.stream().mapToDouble(SimulatedFile::bytes).sum();
  }

  int files() {
    return files.size();
  }

  int mostFiles() {
    return mostFiles;
  }

  long aligned() {
    return files.stream().filter(file -> file.group() >= 0).count();
  }

  /** Flushes so many times, compacting after each, and after each quiet time between two. */
  SimulatedTable flush(int times) {
    for (int i = 0; i < times; i++) {
      addFlush();
      compact();
      if (setup.betweenFlushes().compareTo(Duration.ofMinutes(2)) > 0) {
        rest(Duration.ofMinutes(1).plusSeconds(1));
        nowMillis += setup.betweenFlushes().minusSeconds(61).toMillis();
        compact();
      } else {
        nowMillis += setup.betweenFlushes().toMillis();
      }
      mostFiles = Math.max(mostFiles, files.size());
    }
    return this;
  }

  /** Lets time pass without a flush; repeatedly, since each merge may make the next one due. */
  SimulatedTable rest(Duration time) {
    for (int i = 0; i < 5; i++) {
      nowMillis += time.dividedBy(5).toMillis() + 1;
      compact();
    }
    return this;
  }

  private void addFlush() {
    Map<Long, Double> content = Map.of(hour(), setup.flushBytes());
    if (setup.planner() == null || setup.planner().isUndivided(state())) {
      files.add(new SimulatedFile(Role.MIXED, -1, 1, nowMillis, content));
      return;
    }
    files.add(wide(Role.WIDE_PRIMARY, content, PRIMARY_GROUPS));
    files.add(wide(Role.SEGMENT, content, REDUNDANT_GROUPS));
  }

  private SimulatedFile wide(Role role, Map<Long, Double> content, int groups) {
    return new SimulatedFile(
        role, -1, 1, nowMillis, SimulatedFile.part(content, (double) groups / GROUPS));
  }

  private void compact() {
    while (setup.planner() == null ? compactStock() : compactPlanned()) {
      // until nothing is due
    }
  }

  private boolean compactStock() {
    files.removeIf(file -> file.isExpired(expiredHour()));
    List<SimulatedFile> picked = SimulatedTree.pick(files, setup.flushBytes());
    if (!picked.isEmpty()) {
      rewrite(picked, Role.MIXED, -1, 1);
    }
    return !picked.isEmpty();
  }

  private boolean compactPlanned() {
    TableState<Integer> state = state();
    List<Decision> tasks = new ArrayList<>(setup.planner().plan(state).inOrder());
    tasks.addAll(setup.planner().purges(state));
    for (Decision task : tasks) {
      if (task.kind() == TaskKind.TREE ? compactTree() : execute(task)) {
        return true;
      }
    }
    return false;
  }

  private boolean compactTree() {
    Map<Integer, List<SimulatedFile>> groups =
        files.stream()
            .filter(file -> file.role() == Role.PRIMARY)
            .collect(
                Collectors.groupingBy(SimulatedFile::group, TreeMap::new, Collectors.toList()));
    for (Map.Entry<Integer, List<SimulatedFile>> group : groups.entrySet()) {
      List<SimulatedFile> picked = SimulatedTree.pick(group.getValue(), setup.flushBytes());
      if (!picked.isEmpty()) {
        rewrite(picked, Role.PRIMARY, group.getKey(), 1.0 / GROUPS);
        return true;
      }
    }
    return false;
  }

  private boolean execute(Decision task) {
    List<SimulatedFile> inputs = task.inputs().stream().map(files::get).toList();
    SimulatedFile any = inputs.get(0);
    switch (task.kind()) {
      case EXPIRE -> files.removeAll(inputs);
      case LOG_MERGE -> rewrite(inputs, Role.MIXED, -1, 1);
      case MERGE, PURGE -> rewrite(inputs, any.role(), any.group(), 1.0 / GROUPS);
      default -> align(task.kind(), inputs);
    }
    return true;
  }

  private void rewrite(List<SimulatedFile> inputs, Role role, int group, double share) {
    files.removeAll(inputs);
    add(role, group, share, SimulatedFile.contentAfter(expiredHour(), inputs));
  }

  private void add(Role role, int group, double share, Map<Long, Double> content) {
    if (!content.isEmpty()) {
      SimulatedFile output = new SimulatedFile(role, group, share, nowMillis, content);
      files.add(output);
      compacted += output.bytes();
    }
  }

  /** Cuts at the groups: what was taken along belongs to one group already. */
  private void align(TaskKind kind, Collection<SimulatedFile> inputs) {
    files.removeAll(inputs);
    boolean primary = kind != TaskKind.SPLIT;
    boolean redundant = kind != TaskKind.PRIMARY_BATCH;
    int groups = (primary ? PRIMARY_GROUPS : 0) + (redundant ? REDUNDANT_GROUPS : 0);
    List<SimulatedFile> wide = inputs.stream().filter(file -> file.group() < 0).toList();
    Map<Long, Double> spread =
        SimulatedFile.part(SimulatedFile.contentAfter(expiredHour(), wide), 1.0 / groups);
    for (int group = 0; group < GROUPS; group++) {
      Role role = group < PRIMARY_GROUPS ? Role.PRIMARY : Role.RUN;
      if (role == Role.PRIMARY ? primary : redundant) {
        int own = group;
        Map<Long, Double> content =
            SimulatedFile.contentAfter(
                expiredHour(), inputs.stream().filter(file -> file.group() == own).toList());
        spread.forEach((hour, bytes) -> content.merge(hour, bytes, Double::sum));
        add(role, group, 1.0 / GROUPS, content);
      }
    }
  }

  private TableState<Integer> state() {
    List<PlannedFile<Integer>> planned = new ArrayList<>();
    for (int number = 0; number < files.size(); number++) {
      SimulatedFile file = files.get(number);
      boolean wide = file.group() < 0;
      boolean settled = nowMillis - file.createdMillis() >= Duration.ofDays(1).toMillis();
      planned.add(
          new PlannedFile<>(
              number,
              file.role(),
              file.group(),
              wide ? GROUPS : 1,
              Math.round(file.bytes()),
              file.createdMillis(),
              wide ? 0 : file.group() * 10,
              wide ? GROUPS * 10 : file.group() * 10 + 9,
              new FileState(
                  false,
                  file.isExpired(expiredHour()),
                  settled ? file.expiredShare(expiredHour()) : 0,
                  false)));
    }
    return new TableState<>(
        planned,
        new GroupCounts(PRIMARY_GROUPS, REDUNDANT_GROUPS, GROUPS),
        Files.bytes(planned) + Math.round(setup.flushBytes()),
        new Flushes(Math.round(setup.flushBytes()), Math.round(setup.flushBytes())),
        nowMillis,
        0);
  }

  private long hour() {
    return Duration.ofMillis(nowMillis).toHours();
  }

  private long expiredHour() {
    return setup.ttl() == null ? -FOREVER_HOURS : hour() - setup.ttl().toHours();
  }
}
