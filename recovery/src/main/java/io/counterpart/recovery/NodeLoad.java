package io.counterpart.recovery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes of a node's load, parsed from Cassandra's text: "1.5 GiB". Stateless. */
final class NodeLoad {
  private static final Pattern SIZE = Pattern.compile("([0-9.]+) (bytes|[KMGT]iB)");
  private static final Map<String, Long> UNITS =
      Map.of("bytes", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB", 1L << 40);

  private NodeLoad() {}

  /** The average in bytes, of those that can be read; empty where none can. */
  static OptionalLong average(Collection<String> loads) {
    List<Double> sizes = loads.stream().map(NodeLoad::bytes).flatMap(Optional::stream).toList();
    OptionalDouble average = sizes.stream().mapToDouble(Double::doubleValue).average();
    return average.isPresent()
        ? OptionalLong.of(Math.round(average.getAsDouble()))
        : OptionalLong.empty();
  }

  // other languages' decimal commas, say: then it is not known
  private static Optional<Double> bytes(String load) {
    Matcher size = SIZE.matcher(load);
    if (!size.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Double.parseDouble(size.group(1)) * UNITS.getOrDefault(size.group(2), 1L));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
