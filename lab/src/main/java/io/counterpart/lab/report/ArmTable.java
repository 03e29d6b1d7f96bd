package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.LabResult;
import java.util.List;
import java.util.Map;

/** One line per arm: bytes written, cost, space needed. */
public final class ArmTable {
  private static final double MB = 1e6;
  private static final List<String> HEADER =
      List.of(
          "table",
          "flushed MB",
          "compacted MB",
          "write ampl.",
          "CPU s",
          "writes/s",
          "sstables/read",
          "mid-load",
          "disk MB",
          "sstables",
          "files",
          "memtable MB",
          "recovery s",
          "streamed whole");

  private ArmTable() {}

  /** For a terminal. Bytes and counts are sums over all nodes. */
  public static String text(Map<String, ArmFigures> arms) {
    return grid(arms).text();
  }

  /** For a document. */
  public static String markdown(Map<String, ArmFigures> arms) {
    return grid(arms).markdown();
  }

  /** The medians of a bench, for a terminal. */
  public static String text(LabResult bench) {
    return text(ArmFigures.medians(ArmFigures.rounds(bench)));
  }

  /** The medians of a bench, for a document. */
  public static String markdown(LabResult bench) {
    return markdown(ArmFigures.medians(ArmFigures.rounds(bench)));
  }

  private static Grid grid(Map<String, ArmFigures> arms) {
    Grid grid = new Grid(HEADER);
    arms.forEach((name, figures) -> grid.row(cells(name, figures)));
    return grid;
  }

  private static List<String> cells(String name, ArmFigures arm) {
    return List.of(
        name,
        number("%.0f", arm.bytesFlushed() / MB),
        number("%.0f", arm.bytesCompacted() / MB),
        number("%.2f", arm.writeAmplification()),
        number("%.1f", arm.cpuSeconds()),
        number("%.0f", arm.writeOpsPerSecond()),
        number("%.2f", arm.sstablesPerReadMean()),
        number("%.2f", arm.sstablesPerReadMidLoad()),
        number("%.0f", arm.diskBytes() / MB),
        number("%.0f", arm.sstables()),
        number("%.0f", arm.files()),
        number("%.1f", arm.memtableBytesMean() / MB),
        number("%.1f", arm.recoverySeconds()),
        number("%.0f %%", arm.zeroCopyFraction() * 100));
  }
}
