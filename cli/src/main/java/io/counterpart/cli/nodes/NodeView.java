package io.counterpart.cli.nodes;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.counterpart.cluster.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's state for people and for programs.
 *
 * @param state NORMAL, JOINING … as the node says itself; SILENT if it runs but does not answer,
 *     PAUSED if it stands still; without a process STOPPED if it was asked to end, else DOWN
 * @param ownsPercent share of the ring with replicas of the first user keyspace, or of the bare
 *     ring if there is none
 * @param loadBytes data on disk
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record NodeView(
    int index,
    String address,
    String state,
    @Nullable Long pid,
    int cqlPort,
    int jmxPort,
    String dc,
    String rack,
    @Nullable Integer tokens,
    @Nullable Double ownsPercent,
    @Nullable Long loadBytes,
    double cpuSeconds) {

  static NodeView of(Node node, Ring ring) {
    Optional<Ring.Member> member = ring.member(node.index());
    boolean alive = node.isAlive();
    return new NodeView(
        node.index(),
        node.address(),
        member.map(Ring.Member::mode).orElseGet(() -> withoutMode(node)),
        alive ? node.pid() : null,
        node.cqlPort(),
        node.jmxPort(),
        node.location().dc(),
        node.location().rack(),
        member.map(Ring.Member::tokens).orElse(null),
        ring.ownsPercent(node.address()).orElse(null),
        member.map(Ring.Member::loadBytes).orElse(null),
        node.cpuTime().toMillis() / 1000.0);
  }

  private static String withoutMode(Node node) {
    return switch (node.state()) {
      case RUNNING -> "SILENT";
      case PAUSED -> "PAUSED";
      case STOPPED -> "STOPPED";
      case DEAD -> "DOWN";
    };
  }

  List<String> cells() {
    return List.of(
        String.valueOf(index),
        address,
        state,
        orDash(pid),
        String.valueOf(cqlPort),
        String.valueOf(jmxPort),
        dc,
        rack,
        orDash(tokens),
        ownsPercent == null ? "-" : String.format(Locale.ROOT, "%.1f", ownsPercent),
        loadBytes == null ? "-" : String.format(Locale.ROOT, "%.1f", loadBytes / 1048576.0),
        String.format(Locale.ROOT, "%.1f", cpuSeconds));
  }

  private static String orDash(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }
}
