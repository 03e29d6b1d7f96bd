package io.counterpart.cli.simulate;

import io.counterpart.core.simulator.CostByRole;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** One layout's bytes by role, compared with the uniform one in the table's format. */
record RoleRow(String layout, CostByRole cost, CostByRole uniform) {
  private static final String COLUMNS = "%-30s %8s %8s %8s %9s %9s %8s %8s %8s %8s";

  static final String HEADER =
      String.format(
          Locale.ROOT,
          COLUMNS,
          "by role, compressed",
          "disk",
          "disk",
          "disk",
          "written",
          "written",
          "written",
          "filters",
          "filters",
          "filters");

  static final String UNITS =
      String.format(
          Locale.ROOT,
          COLUMNS,
          "",
          "prim.GiB",
          "red. GiB",
          "/uniform",
          "prim. GiB",
          "red. GiB",
          "/uniform",
          "prim.MiB",
          "red. MiB",
          "/uniform");

  String text() {
    CostByRole.Bytes primary = cost.primary();
    CostByRole.Bytes redundant = cost.redundant();
    CostByRole.Bytes all = cost.total();
    CostByRole.Bytes other = uniform.total();
    return String.format(
        Locale.ROOT,
        "%-30s %8.1f %8.1f %8.3f %9.1f %9.1f %8.3f %8.1f %8.1f %8.3f",
        layout,
        primary.diskBytes() / (1L << 30),
        redundant.diskBytes() / (1L << 30),
        all.diskBytes() / other.diskBytes(),
        primary.writtenBytes() / (1L << 30),
        redundant.writtenBytes() / (1L << 30),
        all.writtenBytes() / other.writtenBytes(),
        primary.filterBytes() / (1L << 20),
        redundant.filterBytes() / (1L << 20),
        filtersVersusUniform());
  }

  /** 1 where the table has no filters. */
  private double filtersVersusUniform() {
    double other = uniform.total().filterBytes();
    return other == 0 ? 1 : cost.total().filterBytes() / other;
  }

  Map<String, Object> json() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("primary", json(cost.primary()));
    row.put("redundant", json(cost.redundant()));
    row.put("diskVersusUniform", cost.total().diskBytes() / uniform.total().diskBytes());
    row.put("writtenVersusUniform", cost.total().writtenBytes() / uniform.total().writtenBytes());
    row.put("filtersVersusUniform", filtersVersusUniform());
    return row;
  }

  private static Map<String, Object> json(CostByRole.Bytes bytes) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("diskBytes", Math.round(bytes.diskBytes()));
    row.put("writtenBytes", Math.round(bytes.writtenBytes()));
    row.put("filterBytes", Math.round(bytes.filterBytes()));
    return row;
  }
}
