package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Write throughput against read throughput, arm by arm; curves join arms that differ in the number
 * of runs S only. Paper: DEPART Table 1.
 *
 * @param writePhase phase on the horizontal axis
 * @param readPhase phase on the vertical axis
 * @param points arms that were measured in both
 * @param curves names of arms, by ascending S; each at least two
 */
record TradeOff(
    String writePhase, String readPhase, List<Point> points, List<List<String>> curves) {
  private static final Set<String> READS = Set.of("read");
  private static final Set<String> WRITES = Set.of("insert", "update");
  private static final String LOAD = "load";

  /**
   * One arm, in operations/s.
   *
   * @param runs S of its table, null for a table without
   */
  record Point(String arm, Interval write, Interval read, @Nullable Double runs) {}

  /** One for each phase that only reads, against the writes at the same consistency levels. */
  static List<TradeOff> of(MeasuredBlocks blocks, Map<String, Object> config) {
    List<TradeOff> tradeOffs = new ArrayList<>();
    for (String readPhase : blocks.phases()) {
      String writePhase = writesBeside(blocks, readPhase);
      if (writePhase != null && only(blocks, readPhase, READS)) {
        List<Point> points = points(blocks, config, writePhase, readPhase);
        if (!points.isEmpty()) {
          tradeOffs.add(new TradeOff(writePhase, readPhase, points, curves(points)));
        }
      }
    }
    return tradeOffs;
  }

  // read_22 goes with update_22; what has no such partner goes with the load
  private static @Nullable String writesBeside(MeasuredBlocks blocks, String readPhase) {
    List<String> writing =
        blocks.phases().stream().filter(phase -> only(blocks, phase, WRITES)).toList();
    return writing.stream()
        .filter(phase -> !phase.equals(LOAD) && levels(phase).equals(levels(readPhase)))
        .findFirst()
        .orElse(writing.contains(LOAD) ? LOAD : null);
  }

  private static String levels(String phase) {
    int mark = phase.indexOf('_');
    return mark < 0 ? "" : phase.substring(mark);
  }

  private static boolean only(MeasuredBlocks blocks, String phase, Set<String> kinds) {
    Set<String> found = blocks.kinds(phase);
    return !found.isEmpty() && kinds.containsAll(found);
  }

  private static List<Point> points(
      MeasuredBlocks blocks, Map<String, Object> config, String writePhase, String readPhase) {
    List<Point> points = new ArrayList<>();
    for (String arm : blocks.arms(readPhase)) {
      // loads are named after their table
      String writer = writePhase.equals(LOAD) ? ArmStyle.table(arm) : arm;
      List<BlockResult> writes = blocks.of(writePhase, writer);
      if (!writes.isEmpty()) {
        points.add(
            new Point(
                arm,
                blocks.throughput(writePhase, writer),
                blocks.throughput(readPhase, arm),
                runs(config, arm)));
      }
    }
    return points;
  }

  private static @Nullable Double runs(Map<String, Object> config, String arm) {
    if (config.get("compaction") instanceof Map<?, ?> tables
        && tables.get(ArmStyle.table(arm)) instanceof Map<?, ?> options
        && options.get("runs") instanceof String runs) {
      return runs.matches("\\d{1,9}") ? Double.parseDouble(runs) : Double.MAX_VALUE;
    }
    return null;
  }

  private static List<List<String>> curves(List<Point> points) {
    Map<String, List<Point>> byRouting = new LinkedHashMap<>();
    for (Point point : points) {
      if (point.runs() != null) {
        String routing = point.arm().substring(ArmStyle.table(point.arm()).length());
        byRouting.computeIfAbsent(routing, key -> new ArrayList<>()).add(point);
      }
    }
    return byRouting.values().stream()
        .filter(group -> group.stream().map(Point::runs).distinct().count() > 1)
        .map(
            group ->
                group.stream()
                    .sorted(Comparator.comparing(TradeOff::order))
                    .map(Point::arm)
                    .toList())
        .toList();
  }

  private static double order(Point point) {
    return point.runs() == null ? 0 : point.runs();
  }
}
