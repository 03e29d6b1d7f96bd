package io.counterpart.lab.report;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Latencies and cost of requests in experiments on storage engines: a line for each phase and arm,
 * medians over the repeats. Bytes and processor time are those of one operation. Stateless.
 */
public final class RequestTable {
  private static final String READ = "read";
  private static final List<String> WRITES = List.of("update", "insert");
  private static final double MILLI = 1e3;
  private static final double MICROS = 1e6;
  private static final double KIB = 1024;
  private static final String NONE = "-";
  private static final String FAILED = "failed";

  private RequestTable() {}

  /** For a terminal; empty where no table was kept by an engine. */
  public static String text(LabResult run) {
    return run.hasEngines() ? grid(run.blocks()).text() : "";
  }

  /** For a document; likewise. */
  static String markdown(LabResult run) {
    return run.hasEngines() ? grid(run.blocks()).markdown() : "";
  }

  private static Grid grid(List<BlockResult> blocks) {
    Grid grid =
        new Grid(
            List.of(
                "requests",
                "operations/s",
                "read ms",
                "p99",
                "write ms",
                "p99",
                "KiB from disk",
                "KiB to disk",
                "CPU µs",
                "sstables/read"));
    Repeats.byPhaseAndArm(blocks.stream().filter(block -> !block.latencies().isEmpty()))
        .forEach((name, repeats) -> grid.row(cells(name, repeats)));
    return grid;
  }

  private static List<String> cells(String name, List<BlockResult> repeats) {
    Map<String, LatencySummary> kinds = repeats.get(0).latencies();
    List<String> cells = new ArrayList<>(List.of(name));
    cells.add(median(repeats, "%.0f", BlockResult::operationsPerSecond));
    cells.addAll(kinds.containsKey(READ) ? latency(repeats, READ) : List.of(NONE, NONE));
    cells.addAll(
        WRITES.stream()
            .filter(kinds::containsKey)
            .findFirst()
            .map(kind -> latency(repeats, kind))
            .orElse(List.of(NONE, NONE)));
    cells.add(
        repeats.stream().allMatch(block -> block.server().hasDiskReads())
            ? each(repeats, "%.1f", block -> block.server().diskReadBytes() / KIB)
            : NONE);
    cells.add(
        repeats.stream().allMatch(block -> block.server().hasDiskWrites())
            ? each(repeats, "%.1f", block -> block.server().diskWrittenBytes() / KIB)
            : NONE);
    cells.add(each(repeats, "%.0f", block -> block.server().cpuSeconds() * MICROS));
    cells.add(
        kinds.containsKey(READ)
            ? median(repeats, "%.2f", block -> block.server().sstablesPerRead())
            : NONE);
    return cells;
  }

  /** Mean and 99th percentile; none where too many operations had no answer. */
  private static List<String> latency(List<BlockResult> repeats, String kind) {
    if (repeats.stream().anyMatch(block -> !block.hasQuantiles(kind))) {
      return List.of(FAILED, FAILED);
    }
    return List.of(
        median(repeats, "%.2f", block -> of(block, kind).meanMicros() / MILLI),
        median(repeats, "%.1f", block -> of(block, kind).p99Micros() / MILLI));
  }

  private static LatencySummary of(BlockResult block, String kind) {
    return Objects.requireNonNull(block.latencies().get(kind), kind);
  }

  private static String each(
      List<BlockResult> repeats, String format, ToDoubleFunction<BlockResult> sum) {
    return median(repeats, format, block -> sum.applyAsDouble(block) / block.operations());
  }

  private static String median(
      List<BlockResult> repeats, String format, ToDoubleFunction<BlockResult> of) {
    return String.format(Locale.ROOT, format, Interval.median(repeats, of::applyAsDouble));
  }
}
