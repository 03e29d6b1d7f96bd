package io.counterpart.cassandra.engine.flush;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Ref;

/**
 * What keeps an sstable out of its store until somebody else has done something. Thread-safe: no
 * state.
 */
public final class WaitingSSTables {
  private static final String NOTHING = "";
  private static final String GONE = "its end";

  private WaitingSSTables() {}

  /** Whether an sstable waits for nobody. May read its index. */
  public static boolean isFree(SSTableReader sstable, Set<Range<Token>> own) {
    return awaited(sstable, own).equals(NOTHING);
  }

  /**
   * For operators, a phrase that goes on: how many wait, and for what; empty where none does.
   *
   * @param own the ranges that the node has copies of
   */
  public static String among(Collection<SSTableReader> sstables, Set<Range<Token>> own) {
    return phrase(sstables.stream().map(sstable -> awaited(sstable, own)).toList());
  }

  static String phrase(Collection<String> awaited) {
    Map<String, Long> counts =
        awaited.stream()
            .filter(each -> !each.equals(NOTHING) && !each.equals(GONE))
            .collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(each -> "; waiting for " + each.getKey() + ": " + each.getValue())
        .collect(Collectors.joining());
  }

  private static String awaited(SSTableReader sstable, Set<Range<Token>> own) {
    if (sstable.isPendingRepair()) {
      return "a repair session";
    }
    if (sstable.isMarkedSuspect()) {
      return "nodetool scrub";
    }
    if (own.isEmpty()) {
      return "ranges of this node"; // it has not joined yet, or the datacenter has no replicas
    }
    // the index is read
    Ref<SSTableReader> reference = sstable.tryRef();
    if (reference == null) {
      return GONE;
    }
    try {
      return CompactionManager.needsCleanup(sstable, own) ? "nodetool cleanup" : NOTHING;
    } finally {
      reference.release();
    }
  }
}
