package io.counterpart.lab.tier.arm;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.lab.result.Counters;
import java.util.LinkedHashMap;
import java.util.Map;

/** A shard's counters by the names in results. Stateless. */
public final class ShardCounters {
  /** Bytes of moved objects. */
  public static final String MOVED_BYTES = "movedBytes";

  /** Moved objects. */
  public static final String MOVED_OBJECTS = "movedObjects";

  /** Bytes of parity that changes of servers have written. */
  public static final String SCALING_PARITY_BYTES = "scalingParityBytesWritten";

  /** Objects that repair has restored. */
  public static final String RESTORED_OBJECTS = "restoredObjects";

  /** Bytes of these. */
  public static final String RESTORED_BYTES = "restoredBytes";

  /** Parity items that repair has encoded anew. */
  public static final String RESTORED_PARITY = "restoredParity";

  /** Bytes of these. */
  public static final String RESTORED_PARITY_BYTES = "restoredParityBytes";

  private ShardCounters() {}

  /** All counters now. */
  static Map<String, Long> of(CodedShard shard) {
    CodedStatistics s = shard.statistics();
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put(MOVED_OBJECTS, s.moved().values());
    counters.put(MOVED_BYTES, s.moved().bytes());
    counters.put("scalingParityItemsRead", s.scalingParity().read().values());
    counters.put("scalingParityBytesRead", s.scalingParity().read().bytes());
    counters.put("scalingParityItemsWritten", s.scalingParity().written().values());
    counters.put(SCALING_PARITY_BYTES, s.scalingParity().written().bytes());
    counters.put(RESTORED_OBJECTS, s.restored().values());
    counters.put(RESTORED_BYTES, s.restored().bytes());
    counters.put(RESTORED_PARITY, s.restoredParity().values());
    counters.put(RESTORED_PARITY_BYTES, s.restoredParity().bytes());
    counters.put("repairObjectsRead", s.repair().records().values());
    counters.put("repairObjectBytesRead", s.repair().records().bytes());
    counters.put("repairParityItemsRead", s.repair().parity().values());
    counters.put("repairParityBytesRead", s.repair().parity().bytes());
    counters.put(Counters.DEGRADED_READS, s.degradedReads().sum());
    counters.put("failedReads", s.failedReads().sum());
    counters.put("degradedObjectsRead", s.degraded().records().values());
    counters.put("degradedParityItemsRead", s.degraded().parity().values());
    counters.put("lostObjects", s.lostObjects().sum());
    return counters;
  }

  /** The differences between two moments, without zeros. */
  public static Map<String, Long> between(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> grown = new LinkedHashMap<>();
    after.forEach(
        (name, value) -> {
          long more = value - before.getOrDefault(name, 0L);
          if (more != 0) {
            grown.put(name, more);
          }
        });
    return grown;
  }
}
