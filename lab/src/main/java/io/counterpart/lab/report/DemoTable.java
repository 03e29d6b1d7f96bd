package io.counterpart.lab.report;

import static io.counterpart.lab.report.Grid.number;

import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.setup.Arm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The demonstration's figures for a narrow terminal: one column for each table. */
public final class DemoTable {
  private static final double MB = 1e6;
  private static final Map<String, String> WORDS =
      Map.of(Arm.DECOUPLED_T4, "decoupled", Arm.LCS, "LCS", Arm.UCS_T4, "UCS T4");

  private DemoTable() {}

  /** Bytes, files and CPU are sums over all nodes. */
  public static String text(Map<String, ArmFigures> arms) {
    List<String> header = new ArrayList<>(List.of(""));
    arms.keySet().forEach(name -> header.add(word(name)));
    Grid grid = new Grid(header);
    row(grid, arms, "flushed, MB", arm -> number("%.0f", arm.bytesFlushed() / MB));
    row(grid, arms, "compacted, MB", arm -> number("%.0f", arm.bytesCompacted() / MB));
    row(grid, arms, "write amplification", arm -> number("%.2f", arm.writeAmplification()));
    row(grid, arms, "CPU of the load, s", arm -> number("%.0f", arm.cpuSeconds()));
    row(grid, arms, "writes per second", arm -> number("%.0f", arm.writeOpsPerSecond()));
    row(grid, arms, "sstables per read at ONE", arm -> number("%.2f", arm.sstablesPerReadMean()));
    row(grid, arms, "disk, MB", arm -> number("%.0f", arm.diskBytes() / MB));
    row(grid, arms, "sstables", arm -> number("%.0f", arm.sstables()));
    row(grid, arms, "recovery of a wiped node, s", arm -> number("%.1f", arm.recoverySeconds()));
    row(
        grid,
        arms,
        "of its bytes, streamed whole",
        arm -> number("%.0f %%", arm.zeroCopyFraction() * 100));
    return grid.text();
  }

  /** An arm's name in plain words. */
  public static String word(String arm) {
    return WORDS.getOrDefault(arm, arm);
  }

  private static void row(
      Grid grid, Map<String, ArmFigures> arms, String label, Function<ArmFigures, String> figure) {
    List<String> cells = new ArrayList<>(List.of(label));
    arms.values().forEach(arm -> cells.add(figure.apply(arm)));
    grid.row(cells);
  }
}
