package io.counterpart.cli.simulate;

import io.counterpart.core.simulator.LayoutCost;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One layout compared with the uniform one.
 *
 * @param quorum copies that a QUORUM read waits for
 */
record LayoutCostRow(LayoutCost cost, LayoutCost uniform, int quorum) {
  static final String HEADER =
      String.format(
          Locale.ROOT,
          "%-30s %9s %9s %8s %9s %7s %9s %8s %15s %7s %7s %9s",
          "layout",
          "flushed",
          "tree",
          "split",
          "merge",
          "write",
          "compacted",
          "sstables",
          "checked a read",
          "writes",
          "reads",
          "reads");

  static final String UNITS =
      String.format(
          Locale.ROOT,
          "%-30s %9s %9s %8s %9s %7s %9s %8s %15s %7s %7s %9s",
          "",
          "GiB",
          "GiB",
          "GiB",
          "GiB",
          "ampl.",
          "/uniform",
          "/node",
          "primary / red.",
          "x",
          "ONE x",
          "QUORUM x");

  String text() {
    return String.format(
        Locale.ROOT,
        "%-30s %9.1f %9.1f %8.1f %9.1f %7.2f %9.3f %8d %7.2f %7.2f %7.2f %7.2f %9.2f",
        cost.layout(),
        gib(cost.flushedBytes()),
        gib(cost.treeBytes()),
        gib(cost.splitBytes()),
        gib(cost.mergeBytes()),
        cost.writeAmplification(),
        cost.compactedBytes() / uniform.compactedBytes(),
        cost.tablesPerNode(),
        cost.primaryRead().checked(),
        cost.redundantRead().checked(),
        cost.writeThroughputVersus(uniform),
        cost.readThroughputVersus(uniform, 1),
        cost.readThroughputVersus(uniform, quorum));
  }

  RoleRow byRole() {
    return new RoleRow(cost.layout(), cost.byRole(), uniform.byRole());
  }

  Map<String, Object> json() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("layout", cost.layout());
    row.put("userBytes", Math.round(cost.userBytes()));
    row.put("bytesFlushed", Math.round(cost.flushedBytes()));
    row.put("bytesCompacted", Math.round(cost.compactedBytes()));
    row.put("bytesCompactedTree", Math.round(cost.treeBytes()));
    row.put("bytesCompactedSplit", Math.round(cost.splitBytes()));
    row.put("bytesCompactedMerge", Math.round(cost.mergeBytes()));
    row.put("diskBytes", Math.round(cost.diskBytes()));
    row.put("writeAmplification", cost.writeAmplification());
    row.put("compactedVersusUniform", cost.compactedBytes() / uniform.compactedBytes());
    row.put("sstablesPerNode", cost.tablesPerNode());
    row.put("checkedPerPrimaryRead", cost.primaryRead().checked());
    row.put("coveringPrimaryRead", cost.primaryRead().covering());
    row.put("checkedPerRedundantRead", cost.redundantRead().checked());
    row.put("coveringRedundantRead", cost.redundantRead().covering());
    row.put("writeThroughputVersusUniform", cost.writeThroughputVersus(uniform));
    row.put("readThroughputVersusUniformOne", cost.readThroughputVersus(uniform, 1));
    row.put("readThroughputVersusUniformQuorum", cost.readThroughputVersus(uniform, quorum));
    return row;
  }

  private static double gib(double bytes) {
    return bytes / (1L << 30);
  }
}
