package io.counterpart.lab.tier;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.CodedStatistics;
import io.counterpart.lab.result.Counters;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a shard counts, by the names that results have. Stateless. */
final class ShardCounters {
  private ShardCounters() {}

  /** All counters now. */
  static Map<String, Long> of(CodedShard shard) {
    CodedStatistics statistics = shard.objects().statistics();
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put(Counters.DEGRADED_READS, statistics.degradedReads());
    counters.put("failedReads", statistics.failedReads());
    counters.put("movedObjects", statistics.movedObjects());
    counters.put("restoredObjects", statistics.restoredObjects());
    counters.put("restoredParity", statistics.restoredParity());
    counters.put("lostObjects", statistics.lostObjects());
    return counters;
  }

  /** What was counted between two moments; names without a difference are left out. */
  static Map<String, Long> between(Map<String, Long> before, Map<String, Long> after) {
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
