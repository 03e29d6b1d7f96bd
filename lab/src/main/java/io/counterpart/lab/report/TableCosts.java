package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.stats.Interval;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What tables occupy and what their reads cost: a line for each phase and arm that counted one of
 * the two. Stateless.
 */
public final class TableCosts {
  private static final double MB = 1e6;
  private static final double KIB = 1024;

  private TableCosts() {}

  /** For a terminal; empty where nothing was counted. */
  public static String text(List<BlockResult> blocks) {
    Map<String, List<BlockResult>> counted = counted(blocks);
    return counted.isEmpty() ? "" : grid(counted).text();
  }

  /** For a document; likewise. */
  static String markdown(List<BlockResult> blocks) {
    Map<String, List<BlockResult>> counted = counted(blocks);
    return counted.isEmpty() ? "" : grid(counted).markdown();
  }

  private static Map<String, List<BlockResult>> counted(List<BlockResult> blocks) {
    return Repeats.byPhaseAndArm(
        blocks.stream()
            .filter(
                block -> has(block, Counters.FILTER_BYTES) || has(block, Counters.LOCAL_READS)));
  }

  private static Grid grid(Map<String, List<BlockResult>> counted) {
    Grid grid =
        new Grid(
            List.of(
                "costs",
                "MB on disk",
                "sstables",
                "filters KiB",
                "compacted MB",
                "CPU s",
                "KiB from disk a read",
                "µs of a local read"));
    counted.forEach((name, repeats) -> grid.row(cells(name, repeats)));
    return grid;
  }

  private static List<String> cells(String name, List<BlockResult> repeats) {
    boolean disk = repeats.stream().allMatch(block -> block.server().hasDiskReads());
    return List.of(
        name,
        last(repeats, Counters.DISK_BYTES, "%.1f", MB),
        last(repeats, Counters.SSTABLES, "%.0f", 1),
        last(repeats, Counters.FILTER_BYTES, "%.0f", KIB),
        median(repeats, "%.1f", block -> block.server().bytesCompacted() / MB),
        median(repeats, "%.1f", block -> block.server().cpuSeconds()),
        reads(repeats) && disk
            ? median(
                repeats, "%.1f", block -> block.server().diskReadBytes() / KIB / block.operations())
            : "-",
        reads(repeats)
            ? median(
                repeats,
                "%.0f",
                block ->
                    (double) block.counter(Counters.LOCAL_READ_MICROS)
                        / block.counter(Counters.LOCAL_READS))
            : "-");
  }

  private static boolean reads(List<BlockResult> repeats) {
    return repeats.stream().allMatch(block -> block.counter(Counters.LOCAL_READS) > 0);
  }

  /** A state: that of the last repeat. */
  private static String last(
      List<BlockResult> repeats, String counter, String format, double unit) {
    BlockResult end = repeats.get(repeats.size() - 1);
    return has(end, counter) ? number(format, end.counter(counter) / unit) : "-";
  }

  private static String median(
      List<BlockResult> repeats, String format, ToDoubleFunction<BlockResult> of) {
    return number(format, Interval.median(repeats, of::applyAsDouble));
  }

  private static boolean has(BlockResult block, String counter) {
    return block.counters().containsKey(counter);
  }
}
