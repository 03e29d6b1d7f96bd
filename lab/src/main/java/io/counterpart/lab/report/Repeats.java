package io.counterpart.lab.report;

import io.counterpart.lab.result.BlockResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The repeats of a phase on an arm, which tables show in one line. Stateless. */
final class Repeats {
  private Repeats() {}

  /** By the name of the line, phase and arm, in the order in which they were measured. */
  static Map<String, List<BlockResult>> byPhaseAndArm(Stream<BlockResult> blocks) {
    return blocks.collect(
        Collectors.groupingBy(
            block -> block.phase() + " " + block.arm(), LinkedHashMap::new, Collectors.toList()));
  }
}
