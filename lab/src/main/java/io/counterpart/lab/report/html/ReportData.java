package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All data of the page, ready to be drawn.
 *
 * @param failed operations of all blocks that ended in an error or a time-out
 * @param clean whether every row was read back intact
 * @param brokenOff why the run has not come to its end, or null if it has
 * @param amplification null without load blocks that wrote to disk
 */
record ReportData(
    String experiment,
    String paper,
    String title,
    String scale,
    long seconds,
    long checked,
    long lost,
    long wrong,
    long unread,
    long failed,
    boolean clean,
    @Nullable String brokenOff,
    List<ArmStyle> arms,
    List<FigureRow> figures,
    List<ThroughputChart> throughput,
    List<LatencyChart> latencies,
    Timeline timeline,
    @Nullable WriteAmplification amplification,
    List<BreakdownChart> breakdowns,
    List<SeriesChart> series,
    List<TradeOff> tradeOffs,
    List<NodeCostRow> costs,
    List<RecoveryChart> recoveries,
    List<CounterRow> counters,
    Map<String, Object> config) {

  static ReportData of(LabResult result) {
    MeasuredBlocks blocks = new MeasuredBlocks(result);
    List<ArmStyle> arms = ArmStyle.of(result);
    return new ReportData(
        result.experiment(),
        result.paper(),
        result.title(),
        result.scale(),
        result.seconds(),
        result.checked(),
        result.lost(),
        result.wrong(),
        result.unread(),
        result.blocks().stream().mapToLong(BlockResult::failed).sum(),
        result.clean(),
        result.brokenOff().orElse(null),
        arms,
        result.figures().stream().map(FigureRow::of).toList(),
        ThroughputChart.of(blocks),
        LatencyChart.of(blocks),
        Timeline.of(result.samples(), arms),
        WriteAmplification.of(blocks, result.config()),
        BreakdownChart.of(result.blocks()),
        SeriesChart.of(result.series()),
        TradeOff.of(blocks, result.config()),
        NodeCostRow.of(blocks),
        RecoveryChart.of(blocks),
        CounterRow.of(blocks),
        result.config());
  }
}
