package io.counterpart.lab.experiment;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.result.Series.Point;
import io.counterpart.lab.result.Series.Source;
import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.LabTable;
import io.counterpart.lab.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Amplification measured on a table that grows step by step: bytes flushed and compacted since the
 * first load for each byte that the user wrote (with replication, without the commit log), and
 * sstables that a read looks at. Sizes that were not measured have no point.
 */
final class MeasuredAmplification {
  private final List<BlockResult> blocks;
  private final List<Integer> factors;
  private final int sizes;
  private final int valueBytes;

  MeasuredAmplification(
      List<BlockResult> blocks, List<Integer> factors, int sizes, int valueBytes) {
    this.blocks = blocks;
    this.factors = factors;
    this.sizes = sizes;
    this.valueBytes = valueBytes;
  }

  List<Series> series() {
    ToDoubleFunction<BlockResult> fromDisk =
        block -> (double) block.server().diskReadBytes() / block.operations() / valueBytes;
    ToDoubleFunction<BlockResult> sstables = block -> block.server().sstablesPerRead();
    List<Series> series = new ArrayList<>();
    series.add(byFactor(AmplificationAxes.WRITES_BY_FACTOR, this::written));
    series.addAll(bySize(AmplificationAxes.WRITES_BY_SIZE, this::written));
    series.add(byFactor(AmplificationAxes.READS_BY_FACTOR, reads(fromDisk)));
    series.addAll(bySize(AmplificationAxes.READS_BY_SIZE, reads(fromDisk)));
    series.add(byFactor(AmplificationAxes.SSTABLES_BY_FACTOR, reads(sstables)));
    return series.stream().filter(curve -> !curve.points().isEmpty()).toList();
  }

  /** A measure of a table at a size; not a number where it was not taken. */
  private interface Measure {
    double of(String table, int size);
  }

  private Series byFactor(AmplificationAxes axes, Measure measure) {
    List<Point> points =
        factors.stream()
            .map(factor -> new Point(factor, measure.of(table(factor), sizes)))
            .filter(MeasuredAmplification::isTaken)
            .toList();
    long rows = factors.stream().mapToLong(factor -> rows(table(factor), sizes)).max().orElse(0);
    return axes.line("measured, %,d rows".formatted(rows), Source.MEASURED, points);
  }

  private List<Series> bySize(AmplificationAxes axes, Measure measure) {
    List<Series> lines = new ArrayList<>();
    for (int factor : factors) {
      String table = table(factor);
      List<Point> points = new ArrayList<>();
      for (int size = 1; size <= sizes; size++) {
        points.add(new Point(rows(table, size), measure.of(table, size)));
      }
      points.removeIf(point -> !isTaken(point));
      lines.add(axes.line("measured, RF " + factor, Source.MEASURED, points));
    }
    return lines;
  }

  private double written(String table, int size) {
    double bytes = 0;
    for (int step = 1; step <= size; step++) {
      for (BlockResult block : blocks(table, "load_" + step, "drain_" + step)) {
        bytes += block.server().bytesFlushed() + block.server().bytesCompacted();
      }
    }
    return bytes / ((double) rows(table, size) * valueBytes);
  }

  private Measure reads(ToDoubleFunction<BlockResult> value) {
    return (table, size) -> {
      double[] repeats = blocks(table, "read_" + size).stream().mapToDouble(value).toArray();
      return repeats.length == 0 ? Double.NaN : Interval.ofExtremes(repeats).median();
    };
  }

  private long rows(String table, int size) {
    long rows = 0;
    for (int step = 1; step <= size; step++) {
      rows += blocks(table, "load_" + step).stream().mapToLong(BlockResult::operations).sum();
    }
    return rows;
  }

  private List<BlockResult> blocks(String table, String... phases) {
    return blocks.stream()
        .filter(block -> block.arm().equals(table) && List.of(phases).contains(block.phase()))
        .toList();
  }

  private static boolean isTaken(Point point) {
    return !Double.isNaN(point.y());
  }

  private static String table(int factor) {
    return new LabTable(Arm.named(Arm.LCS).orElseThrow(), factor).name();
  }
}
