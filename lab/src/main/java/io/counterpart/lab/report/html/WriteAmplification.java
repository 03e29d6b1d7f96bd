package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.NodeCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that each table wrote during its load, by cause.
 *
 * @param unit "× user bytes" (bytes that the user wrote × replication factor), or "MB" where the
 *     configuration does not tell the size of a row
 * @param rows one for each table
 */
record WriteAmplification(String unit, List<Row> rows) {
  private static final double MB = 1e6;
  private static final List<String> FLUSH_ROLES = List.of("flushedPrimary", "flushedRedundant");
  private static final List<String> COMPACTION_ROLES = List.of("primaryBatch", "split", "merged");

  /**
   * One table.
   *
   * @param parts by role; a stock table has "flushed" and "compacted" alone
   * @param total their sum
   */
  record Row(String arm, Map<String, Double> parts, double total) {}

  /** Null without a byte written while loading. */
  static @Nullable WriteAmplification of(MeasuredBlocks blocks, Map<String, Object> config) {
    List<String> arms = blocks.loadedArms();
    double pairBytes = number(config, "keyBytes") + number(config, "valueBytes");
    double usualReplicas = number(config, "replicationFactor");
    boolean relative =
        pairBytes * usualReplicas > 0
            && arms.stream().allMatch(arm -> operations(blocks.loading(arm)) > 0);
    List<Row> rows = new ArrayList<>();
    for (String arm : arms) {
      List<BlockResult> loading = blocks.loading(arm);
      double replicas = ArmStyle.replicationFactor(arm).orElse(usualReplicas);
      rows.add(row(arm, loading, relative ? operations(loading) * pairBytes * replicas : MB));
    }
    boolean nothing = rows.stream().allMatch(row -> row.total() == 0);
    return nothing ? null : new WriteAmplification(relative ? "× user bytes" : "MB", rows);
  }

  private static Row row(String arm, List<BlockResult> loading, double divisor) {
    Map<String, Long> roles = new LinkedHashMap<>();
    long flushed = 0;
    long compacted = 0;
    for (BlockResult block : loading) {
      NodeCost cost = block.server();
      flushed += cost.bytesFlushed();
      compacted += cost.bytesCompacted();
      cost.bytesByRole().forEach((role, bytes) -> roles.merge(role, bytes, Long::sum));
    }
    Map<String, Double> parts = new LinkedHashMap<>();
    if (roles.isEmpty()) {
      parts.put("flushed", flushed / divisor);
      parts.put("compacted", compacted / divisor);
    } else {
      FLUSH_ROLES.forEach(role -> parts.put(role, bytes(roles, role) / divisor));
      // what the tree's own strategy rewrote is what no role counts
      long batches = COMPACTION_ROLES.stream().mapToLong(role -> bytes(roles, role)).sum();
      parts.put("primaryTree", Math.max(0, compacted - batches) / divisor);
      COMPACTION_ROLES.forEach(role -> parts.put(role, bytes(roles, role) / divisor));
    }
    return new Row(arm, parts, parts.values().stream().mapToDouble(Double::doubleValue).sum());
  }

  private static long bytes(Map<String, Long> roles, String role) {
    return roles.getOrDefault(role, 0L);
  }

  private static double operations(List<BlockResult> loading) {
    return loading.stream().mapToLong(BlockResult::operations).sum();
  }

  private static double number(Map<String, Object> config, String key) {
    return config.get(key) instanceof Number number ? number.doubleValue() : 0;
  }
}
