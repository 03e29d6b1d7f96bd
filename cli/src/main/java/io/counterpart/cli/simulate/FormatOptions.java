package io.counterpart.cli.simulate;

import io.counterpart.core.simulator.Formats;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code counterpart simulate} that give roles a format. */
final class FormatOptions {
  @Option(
      names = "--table-ratio",
      description =
          "compressed by uncompressed bytes in the table's format; above 0 to 2 (default 1)")
  @Nullable Double tableRatio;

  @Option(
      names = "--redundant-ratio",
      description = "the same in the format of redundant copies (default: the table's)")
  @Nullable Double redundantRatio;

  @Option(
      names = "--filter-chance",
      description = "bloom_filter_fp_chance of the table; above 0 to 1 (default 0.01)")
  @Nullable Double filterChance;

  @Option(
      names = "--redundant-filter-chance",
      description = "redundant_bloom_filter_fp_chance (default: the table's)")
  @Nullable Double redundantFilterChance;

  /** Whether bytes by role are asked for. */
  boolean areGiven() {
    return Stream.of(tableRatio, redundantRatio, filterChance, redundantFilterChance)
        .anyMatch(given -> given != null);
  }

  Formats formats() {
    double ratio = or(tableRatio, Formats.UNCOMPRESSED.tableRatio());
    double chance = or(filterChance, Formats.UNCOMPRESSED.filterChance());
    return new Formats(ratio, or(redundantRatio, ratio), chance, or(redundantFilterChance, chance));
  }

  private static double or(@Nullable Double given, double otherwise) {
    return given == null ? otherwise : given;
  }

  /** What results record of them; nothing where none is given. */
  Map<String, Object> config() {
    Map<String, Object> config = new LinkedHashMap<>();
    if (areGiven()) {
      Formats formats = formats();
      config.put("tableRatio", formats.tableRatio());
      config.put("redundantRatio", formats.redundantRatio());
      config.put("filterChance", formats.filterChance());
      config.put("redundantFilterChance", formats.redundantFilterChance());
    }
    return config;
  }
}
