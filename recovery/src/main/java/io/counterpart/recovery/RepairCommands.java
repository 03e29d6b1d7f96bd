package io.counterpart.recovery;

import io.counterpart.core.recovery.TokenRange;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The repairs that a run has started on a node. Their state is polled: JMX notifications may be
 * lost, and then even NodeTool asks. Used by one thread.
 */
final class RepairCommands {
  private static final String COMPLETED = "COMPLETED";
  private static final String FAILED = "FAILED";

  private final StorageCalls calls;
  private final Set<Integer> ours = new TreeSet<>();

  RepairCommands(StorageCalls calls) {
    this.calls = calls;
  }

  /**
   * A full repair of some ranges on all their replicas.
   *
   * @return its command, 0 if there is nothing to do
   */
  int start(String keyspace, Collection<TokenRange> ranges) {
    return start(keyspace, options(ranges, "NONE"));
  }

  /** Compares all replicas of some ranges by Merkle trees, and changes nothing. */
  int preview(String keyspace, Collection<TokenRange> ranges) {
    return start(keyspace, options(ranges, "ALL"));
  }

  /**
   * What {@code nodetool repair -full} asks for: all ranges of the node, its defaults.
   *
   * @param primaryRange {@code -pr}: only those of which it is the first replica
   */
  int startStock(String keyspace, boolean primaryRange) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("parallelism", "parallel");
    options.put("incremental", "false");
    options.put("primaryRange", String.valueOf(primaryRange));
    options.put("optimiseStreams", "false");
    options.put("jobThreads", "1");
    options.put("trace", "false");
    options.put("previewKind", "NONE");
    options.put("repairPaxos", "true");
    return start(keyspace, options);
  }

  private int start(String keyspace, Map<String, String> options) {
    int command = calls.repairAsync(keyspace, options);
    if (command > 0) {
      ours.add(command);
    }
    return command;
  }

  private static Map<String, String> options(Collection<TokenRange> ranges, String previewKind) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("parallelism", "parallel");
    // two incremental sessions at once would conflict over the same sstables
    options.put("incremental", "false");
    options.put("primaryRange", "false");
    options.put(
        "ranges", ranges.stream().map(TokenRange::toString).collect(Collectors.joining(",")));
    // else an empty node gets each range from every other replica
    options.put("optimiseStreams", "true");
    options.put("jobThreads", "1");
    options.put("trace", "false");
    options.put("previewKind", previewKind);
    return options;
  }

  /**
   * How a repair stands.
   *
   * @param message what Cassandra said when it ended, or empty
   */
  record Outcome(boolean ended, boolean failed, String message) {}

  Outcome outcome(int command) {
    if (command == 0) {
      return new Outcome(true, false, "");
    }
    List<String> status = calls.repairStatus(command);
    String state = status.isEmpty() ? "" : status.get(0);
    boolean failed = state.equals(FAILED);
    boolean ended = failed || state.equals(COMPLETED);
    if (ended) {
      ours.remove(command);
    }
    return new Outcome(
        ended, failed, ended ? String.join("; ", status.subList(1, status.size())) : "");
  }

  /**
   * Stops what was started and has not ended. Cassandra can only stop all repairs that a node
   * coordinates, so where somebody else's runs too, ours are left to end by themselves.
   *
   * @return what was done, empty if nothing was under way
   */
  String stop() {
    if (ours.isEmpty()) {
      return "";
    }
    Set<Integer> others = new TreeSet<>(calls.runningRepairs());
    others.removeAll(ours);
    if (!others.isEmpty()) {
      return "repairs "
          + ours
          + " go on in the node: stopping them would stop "
          + others
          + " too, which this run did not start";
    }
    calls.terminateRepairs();
    String stopped = "stopped repairs " + ours;
    ours.clear();
    return stopped;
  }
}
