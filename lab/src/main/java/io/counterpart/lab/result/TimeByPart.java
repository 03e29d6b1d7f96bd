package io.counterpart.lab.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The time of nodes by part in a phase of one arm: the sum over its blocks. A block without
 * operations, such as a drain, belongs to the phase before it whose work it finishes.
 *
 * @param operations answered well
 * @param seconds thread-seconds of all nodes, by part
 * @param cpuSeconds processor time of all nodes, measured apart
 */
public record TimeByPart(
    String phase, String arm, long operations, Map<String, Double> seconds, double cpuSeconds) {
  private static final double MICROS = 1e6;

  /** Every phase and arm of which there are breakdowns, in the order in which they began. */
  public static List<TimeByPart> of(List<BlockResult> blocks) {
    Map<List<String>, TimeByPart> found = new LinkedHashMap<>();
    Map<String, String> working = new LinkedHashMap<>();
    for (BlockResult block : blocks) {
      if (block.breakdown().isEmpty()) {
        continue;
      }
      String phase =
          block.operations() > 0 ? block.phase() : working.getOrDefault(block.arm(), block.phase());
      if (block.operations() > 0) {
        working.put(block.arm(), phase);
      }
      found.merge(List.of(phase, block.arm()), of(phase, block), TimeByPart::plus);
    }
    return new ArrayList<>(found.values());
  }

  /** "µs per operation", or "s" where nothing was answered. */
  public String unit() {
    return operations > 0 ? "µs per operation" : "s";
  }

  /** The time of each part in {@link #unit}. */
  public Map<String, Double> parts() {
    Map<String, Double> parts = new LinkedHashMap<>();
    seconds.forEach((part, time) -> parts.put(part, inUnit(time)));
    return parts;
  }

  /** All parts together. */
  public double total() {
    return inUnit(seconds.values().stream().mapToDouble(Double::doubleValue).sum());
  }

  /** Processor time, collection of garbage and compilation included. */
  public double cpu() {
    return inUnit(cpuSeconds);
  }

  private double inUnit(double time) {
    return operations > 0 ? time * MICROS / operations : time;
  }

  private static TimeByPart of(String phase, BlockResult block) {
    return new TimeByPart(
        phase, block.arm(), block.operations(), block.breakdown(), block.server().cpuSeconds());
  }

  private TimeByPart plus(TimeByPart other) {
    Map<String, Double> sum = new LinkedHashMap<>(seconds);
    other.seconds.forEach((part, time) -> sum.merge(part, time, Double::sum));
    return new TimeByPart(
        phase, arm, operations + other.operations, sum, cpuSeconds + other.cpuSeconds);
  }
}
