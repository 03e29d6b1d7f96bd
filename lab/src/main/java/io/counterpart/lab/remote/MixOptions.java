package io.counterpart.lab.remote;

import io.counterpart.core.placement.engine.EngineMix;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The replication options of a keyspace under HeterogeneousStrategy. */
public final class MixOptions {
  private static final String STRATEGY = "io.counterpart.cassandra.placement.HeterogeneousStrategy";
  private static final String CLASS = "class";
  private static final String WRITES = "write_quorum";
  private static final String READS = "read_quorum";

  private MixOptions() {}

  /** Whether options are of the strategy. */
  public static boolean isMixed(Map<String, String> options) {
    return STRATEGY.equals(options.get(CLASS));
  }

  /** The mix of each datacenter with copies. */
  public static Map<String, EngineMix> mixes(Map<String, String> options) {
    Map<String, String> left = new TreeMap<>(options);
    left.remove(CLASS);
    int writes = Integer.parseInt(String.valueOf(left.remove(WRITES)));
    int reads = Integer.parseInt(String.valueOf(left.remove(READS)));
    Map<String, EngineMix> mixes = new TreeMap<>();
    left.forEach(
        (datacenter, value) -> {
          int copies = Integer.parseInt(value);
          if (copies > 0) {
            mixes.put(datacenter, new EngineMix(copies, writes, reads));
          }
        });
    return mixes;
  }

  /** The options with another mix in a datacenter, as a map literal of CQL. */
  public static String literal(Map<String, String> options, String datacenter, EngineMix mix) {
    Map<String, String> changed = new LinkedHashMap<>();
    changed.put(CLASS, STRATEGY);
    changed.putAll(new TreeMap<>(options));
    changed.put(datacenter, String.valueOf(mix.copies()));
    changed.put(WRITES, String.valueOf(mix.writeQuorum()));
    changed.put(READS, String.valueOf(mix.readQuorum()));
    return changed.entrySet().stream()
        .map(option -> quoted(option.getKey()) + ": " + quoted(option.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
