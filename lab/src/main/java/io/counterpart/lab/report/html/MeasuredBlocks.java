package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.stats.Interval;
import io.counterpart.lab.stats.PairedRatios;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The blocks of a run, found by phase and arm. Immutable. */
final class MeasuredBlocks {
  // of several loads each has a name of its own: load_1, load_n8
  private static final Pattern LOADING = Pattern.compile("(load|drain)(_.*)?");

  private final List<BlockResult> blocks;
  private final List<String> arms;
  private final long seed;

  MeasuredBlocks(LabResult result) {
    blocks = List.copyOf(result.blocks());
    arms = ArmStyle.of(result).stream().map(ArmStyle::name).toList();
    seed = result.config().get("seed") instanceof Number number ? number.longValue() : 1;
  }

  /** Phases in the order in which they began. */
  List<String> phases() {
    return blocks.stream().map(BlockResult::phase).distinct().toList();
  }

  /** Arms that have blocks of a phase, those of a table next to each other. */
  List<String> arms(String phase) {
    return arms.stream().filter(arm -> !of(phase, arm).isEmpty()).toList();
  }

  /** Blocks of an arm in a phase, by repeat. */
  List<BlockResult> of(String phase, String arm) {
    return BlockResult.repeats(blocks, phase, arm).toList();
  }

  /** Blocks that put the rows of an arm's table there, and what waits for their compaction. */
  List<BlockResult> loading(String arm) {
    return blocks.stream()
        .filter(block -> block.arm().equals(arm) && LOADING.matcher(block.phase()).matches())
        .toList();
  }

  /** Arms of which there are such blocks. */
  List<String> loadedArms() {
    return arms.stream().filter(arm -> !loading(arm).isEmpty()).toList();
  }

  /** Kinds of operation in a phase, over all arms. */
  Set<String> kinds(String phase) {
    Set<String> kinds = new TreeSet<>();
    blocks.stream()
        .filter(block -> block.phase().equals(phase))
        .forEach(block -> kinds.addAll(block.latencies().keySet()));
    return kinds;
  }

  /** Median throughput in operations/s over the repeats, of which there is at least one. */
  Interval throughput(String phase, String arm) {
    return PairedRatios.medianOf(
        of(phase, arm).stream().mapToDouble(BlockResult::operationsPerSecond).toArray(), seed);
  }
}
