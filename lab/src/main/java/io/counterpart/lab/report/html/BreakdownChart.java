package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.TimeByPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The time of nodes by part in one phase.
 *
 * @param unit of all its values
 * @param rows one for each arm
 */
record BreakdownChart(String phase, String unit, List<Row> rows) {

  /**
   * One arm.
   *
   * @param total the parts' sum
   * @param cpu processor time, measured apart
   */
  record Row(String arm, Map<String, Double> parts, double total, double cpu) {}

  static List<BreakdownChart> of(List<BlockResult> blocks) {
    Map<List<String>, BreakdownChart> charts = new LinkedHashMap<>();
    for (TimeByPart time : TimeByPart.of(blocks)) {
      charts
          .computeIfAbsent(
              List.of(time.phase(), time.unit()),
              key -> new BreakdownChart(time.phase(), time.unit(), new ArrayList<>()))
          .rows()
          .add(new Row(time.arm(), time.parts(), time.total(), time.cpu()));
    }
    return List.copyOf(charts.values());
  }
}
