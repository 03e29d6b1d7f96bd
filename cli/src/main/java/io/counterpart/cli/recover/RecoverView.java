package io.counterpart.cli.recover;

import io.counterpart.cli.console.TextTable;
import io.counterpart.core.recovery.KeyspaceDecision;
import io.counterpart.core.recovery.KeyspaceDecision.Restore;
import io.counterpart.recovery.RecoveryPlan;
import io.counterpart.recovery.RecoveryResult;
import io.counterpart.recovery.RecoveryResult.RestoredKeyspace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Plans and results as text and as JSON values. */
final class RecoverView {
  private static final double MEBI = 1 << 20;

  private RecoverView() {}

  static String text(RecoveryPlan plan) {
    TextTable table =
        new TextTable(
            List.of("keyspace", "way", "primary", "redundant", "done before", "steps", "why"));
    plan.restores()
        .forEach(
            restore ->
                table.row(
                    List.of(
                        restore.keyspace(),
                        restore.way(),
                        restore.ranges().primary().size(),
                        restore.ranges().redundant().size(),
                        restore.resumed(),
                        restore.steps().size(),
                        restore.reason())));
    return "node "
        + plan.node()
        + ", host id "
        + plan.hostId()
        + "; then all replicas are compared by Merkle trees\n"
        + table.render()
        + skipped(plan.skips());
  }

  static Map<String, Object> json(RecoveryPlan plan) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("dryRun", true);
    json.put("node", plan.node());
    json.put("hostId", plan.hostId());
    json.put("keyspaces", plan.restores().stream().map(RecoverView::json).toList());
    json.put("skipped", plan.skips());
    return json;
  }

  private static Map<String, Object> json(Restore restore) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("keyspace", restore.keyspace());
    json.put("way", restore.way());
    json.put("reason", restore.reason());
    json.put("primaryRanges", restore.ranges().primary().size());
    json.put("redundantRanges", restore.ranges().redundant().size());
    json.put("resumedRanges", restore.resumed());
    json.put("steps", restore.steps().size());
    return json;
  }

  static String text(RecoveryResult result) {
    TextTable table =
        new TextTable(
            List.of(
                "keyspace",
                "way",
                "primary",
                "redundant",
                "done before",
                "restore s",
                "Merkle s",
                "streaming s",
                "MiB",
                "verify s",
                "replicas"));
    result
        .keyspaces()
        .forEach(
            keyspace ->
                table.row(
                    List.of(
                        keyspace.keyspace(),
                        keyspace.way(),
                        keyspace.primaryRanges(),
                        keyspace.redundantRanges(),
                        keyspace.resumedRanges(),
                        decimal(keyspace.restoreSeconds()),
                        decimal(keyspace.merkleSeconds()),
                        decimal(keyspace.streamingSeconds()),
                        decimal(keyspace.receivedBytes() / MEBI),
                        decimal(keyspace.verificationSeconds()),
                        keyspace.verdict())));
    return table.render() + skipped(result.skipped()) + problems(result.keyspaces());
  }

  static Map<String, Object> json(RecoveryResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("node", result.node());
    json.put("hostId", result.hostId());
    json.put("inSync", result.inSync());
    json.put("keyspaces", result.keyspaces());
    json.put("skipped", result.skipped());
    return json;
  }

  private static String skipped(List<KeyspaceDecision.Skip> skips) {
    StringBuilder text = new StringBuilder();
    skips.forEach(
        skip ->
            text.append("\nskipped ").append(skip.keyspace()).append(": ").append(skip.reason()));
    return text.toString();
  }

  private static String problems(List<RestoredKeyspace> keyspaces) {
    StringBuilder text = new StringBuilder();
    keyspaces.stream()
        .filter(keyspace -> !keyspace.verificationDetail().contains("in sync"))
        .forEach(
            keyspace ->
                text.append('\n')
                    .append(keyspace.keyspace())
                    .append(": ")
                    .append(keyspace.verdict())
                    .append(": ")
                    .append(keyspace.verificationDetail()));
    return text.toString();
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
