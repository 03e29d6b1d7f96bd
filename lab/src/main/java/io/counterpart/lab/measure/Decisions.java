package io.counterpart.lab.measure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.workload.TableRef;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * What coordinators decided about reads of one table since their start, by {@code
 * counterpart.consistency}.
 *
 * @param byReason reads by the reason of their level
 * @param shadowReads reads repeated at ALL
 */
public record Decisions(Map<String, Long> byReason, long shadowReads) {
  /** Asks coordinators now; they must have served a request. */
  public static Decisions of(CqlSession session, Collection<Node> coordinators, TableRef table) {
    Map<String, Long> byReason = new TreeMap<>();
    long shadows = 0;
    for (Node coordinator : coordinators) {
      long own = 0;
      for (Row row :
          session.execute(
              SimpleStatement.newInstance(
                      "SELECT reason, reads, shadow_reads FROM counterpart.consistency"
                          + " WHERE keyspace_name = ? AND table_name = ?",
                      table.keyspace(),
                      table.table())
                  .setNode(coordinator))) {
        byReason.merge(String.valueOf(row.getString("reason")), row.getLong("reads"), Long::sum);
        // each reason's row has the table's count
        own = Math.max(own, row.getLong("shadow_reads"));
      }
      shadows += own;
    }
    return new Decisions(byReason, shadows);
  }

  /** Those since an earlier reading; reasons without a read are left out. */
  public Decisions since(Decisions earlier) {
    Map<String, Long> grown = new TreeMap<>();
    byReason.forEach(
        (reason, reads) -> {
          long more = reads - earlier.byReason.getOrDefault(reason, 0L);
          if (more > 0) {
            grown.put(reason, more);
          }
        });
    return new Decisions(grown, shadowReads - earlier.shadowReads);
  }

  /** A counter of a block for each reason. */
  public Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    byReason.forEach((reason, reads) -> counters.put(Counters.READS_BY_REASON + reason, reads));
    return counters;
  }
}
