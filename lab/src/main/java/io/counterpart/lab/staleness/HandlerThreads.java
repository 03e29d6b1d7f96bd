package io.counterpart.lab.staleness;

import io.counterpart.cluster.ObservedNode;
import io.counterpart.cluster.jmx.NodeJmx;
import io.counterpart.lab.measure.ConnectedNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.management.openmbean.CompositeData;

/**
 * Processor time of the consistency handler's own threads, on all nodes. They work on samples of
 * the last 30 s, so also in a block in which the handler is off. For one thread.
 */
final class HandlerThreads {
  private static final String THREADING = "java.lang:type=Threading";
  private static final List<String> NAMES =
      List.of("CounterpartEstimates", "CounterpartPolicies", "CounterpartRepeatedReads");

  private final ConnectedNodes nodes;
  private final Map<Integer, long[]> threads = new HashMap<>();

  /** Finds the threads; they must have been started. */
  HandlerThreads(ConnectedNodes nodes) {
    this.nodes = nodes;
    for (ObservedNode node : nodes.nodes()) {
      threads.put(node.index(), ids(nodes.jmx(node)));
    }
  }

  private static long[] ids(NodeJmx jmx) {
    Object all = jmx.attribute(THREADING, "AllThreadIds");
    Object found = jmx.invoke(THREADING, "getThreadInfo", new Object[] {all}, new String[] {"[J"});
    List<Long> ids = new ArrayList<>();
    for (CompositeData thread : (CompositeData[]) found) {
      // a thread may have ended since
      if (thread != null && NAMES.contains(String.valueOf(thread.get("threadName")))) {
        ids.add((Long) thread.get("threadId"));
      }
    }
    if (ids.isEmpty()) {
      throw new IllegalStateException(
          "a node has no thread of the consistency handler, needed: one of " + NAMES);
    }
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  /** Their processor time so far. */
  Duration cpu() {
    long nanos = 0;
    for (ObservedNode node : nodes.nodes()) {
      for (long id : Objects.requireNonNull(threads.get(node.index()))) {
        Object time =
            nodes
                .jmx(node)
                .invoke(THREADING, "getThreadCpuTime", new Object[] {id}, new String[] {"long"});
        // −1 of a thread that ended: the one for shadow reads starts with the first of them
        nanos += Math.max(0, (Long) time);
      }
    }
    return Duration.ofNanos(nanos);
  }
}
