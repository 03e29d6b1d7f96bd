package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.MemtableConfigurations;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The only place where arms are defined. */
final class KnownArms {
  private static final String ZSTD = "ZstdCompressor";
  private static final int SMALL_CHUNK_KIB = 4;

  /**
   * Those of the decoupling bench, in the order of its report. Each sstable aims at 2 MiB, so that
   * 240 MB a node hold as many sstables and levels as a large node holds of the default size.
   */
  static final List<Arm> OF_BENCH =
      List.of(
          decoupled(Arm.DECOUPLED_L10, "L10"),
          decoupled(Arm.DECOUPLED_T4, "T4"),
          arm(Arm.LCS, "LeveledCompactionStrategy", "sstable_size_in_mb", "2"),
          unified(Arm.UCS_T4, "T4"),
          unified(Arm.UCS_L10, "L10"),
          arm(
              Arm.MLSM,
              CompactionOptions.DECOUPLED,
              "mode",
              "mlsm",
              "primary",
              "lcs",
              "primary.sstable_size_in_mb",
              "2"));

  // for experiments of a user's own
  private static final List<Arm> MORE =
      List.of(
          unified(Arm.UCS_N, "N"),
          arm(Arm.STCS, "SizeTieredCompactionStrategy", "min_sstable_size", "1048576"),
          unified(Arm.UCS_T4_4K, "T4").compressed(Arm.LZ4, SMALL_CHUNK_KIB),
          unified(Arm.UCS_T4_ZSTD, "T4").compressed(ZSTD, Arm.USUAL_CHUNK_KIB),
          new Arm(Arm.FORMATS, CompactionOptions.smallRedundant("T4", ZSTD))
              .compressed(ZSTD, SMALL_CHUNK_KIB),
          new Arm(Arm.BY_RANK, CompactionOptions.byRank("T4")).on(Arm.LMDB),
          unified(Arm.UCS_T4_ROWS, "T4").cachingRows(),
          onEngine(Arm.HETEROGENEOUS, MemtableConfigurations.ENGINE),
          onEngine(Arm.CLASS_PER_SERVER, MemtableConfigurations.ENGINE),
          arm(
              Arm.UNCOMPACTED,
              "SizeTieredCompactionStrategy",
              "enabled",
              "false",
              // the estimate of work that stays undone is 0
              "min_threshold",
              "32"));

  /** Those without a number in their names. */
  static final List<Arm> ALL =
      Stream.of(OF_BENCH, MORE, onEngines(Arm.ENGINES), onEngines(Arm.DIRECT_ENGINES))
          .flatMap(List::stream)
          .toList();

  static Optional<Arm> named(String name, List<Arm> arms) {
    return arms.stream().filter(arm -> arm.name().equals(name)).findFirst();
  }

  /** Decoupled replicas of any ordering degree. */
  static Optional<Arm> ofDegree(String name) {
    Matcher degree = Pattern.compile("decoupled_s([1-9]\\d{0,3}|unlimited)").matcher(name);
    return degree.matches() ? Optional.of(Arm.decoupledRuns(degree.group(1))) : Optional.empty();
  }

  /**
   * A table of {@link Arm#UCS_T4} but for its engine; sstables come of spills and streams alone.
   */
  private static Arm onEngine(String name, String memtable) {
    return unified(name, "T4").on(memtable);
  }

  private static List<Arm> onEngines(List<String> names) {
    return names.stream().map(name -> onEngine(name, name)).toList();
  }

  private static Arm decoupled(String name, String scaling) {
    return new Arm(name, CompactionOptions.decoupled(scaling));
  }

  private static Arm unified(String name, String scaling) {
    return new Arm(name, CompactionOptions.unified(scaling));
  }

  private static Arm arm(String name, String strategy, String... options) {
    return new Arm(name, CompactionOptions.of(strategy, options));
  }

  private KnownArms() {}
}
