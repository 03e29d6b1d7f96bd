package io.counterpart.lab.report.html;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The style of an arm in charts: arms of one table share a hue and differ by dashes and hatching.
 *
 * @param name the arm's name
 * @param hue number of the table, from 0
 * @param variant number of the arm among those of its table; the bare table, if measured, is 0
 */
record ArmStyle(String name, int hue, int variant) {
  private static final Pattern REPLICATION_FACTOR = Pattern.compile("_rf(\\d+)$");

  /** Every arm with blocks or samples, those of a table next to each other. */
  static List<ArmStyle> of(LabResult result) {
    Set<String> names = new LinkedHashSet<>();
    Stream.concat(
            result.blocks().stream().map(BlockResult::arm),
            result.samples().stream().map(Sample::arm))
        .forEach(names::add);
    List<String> tables = names.stream().map(ArmStyle::table).distinct().toList();
    List<ArmStyle> styles = new ArrayList<>();
    for (String table : tables) {
      List<String> variants =
          names.stream()
              .filter(name -> table(name).equals(table))
              .sorted(Comparator.comparing((String name) -> !name.equals(table)))
              .toList();
      for (String name : variants) {
        styles.add(new ArmStyle(name, tables.indexOf(table), variants.indexOf(name)));
      }
    }
    return styles;
  }

  /** The table that an arm reads: its name up to what "+" adds, such as routing. */
  static String table(String arm) {
    int plus = arm.indexOf('+');
    return plus < 0 ? arm : arm.substring(0, plus);
  }

  /** The replication factor that an arm's name holds: it differs from the run's then. */
  static OptionalDouble replicationFactor(String arm) {
    Matcher factor = REPLICATION_FACTOR.matcher(table(arm));
    return factor.find()
        ? OptionalDouble.of(Double.parseDouble(factor.group(1)))
        : OptionalDouble.empty();
  }
}
