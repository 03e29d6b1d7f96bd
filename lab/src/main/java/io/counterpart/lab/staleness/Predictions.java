package io.counterpart.lab.staleness;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.workload.TableRef;
import java.util.ArrayList;
import java.util.List;

/**
 * What a coordinator says of the stale reads of one table, by {@code counterpart.staleness}.
 *
 * @param rows of one replica set
 */
record Predictions(List<Prediction> rows) {
  /**
   * One prediction.
   *
   * @param samples writes behind it
   * @param low lower bound at 95 %
   * @param high upper bound at 95 %
   */
  record Prediction(Condition when, long samples, double stale, double low, double high) {}

  /**
   * What is predicted.
   *
   * @param reads replicas read
   * @param writes replicas that a write waited for
   * @param afterMillis time from the write's return to the read
   */
  record Condition(int reads, int writes, long afterMillis) {}

  Predictions {
    rows = List.copyOf(rows);
  }

  /** Asks a coordinator now. */
  static Predictions of(CqlSession session, Node coordinator, TableRef table) {
    List<Prediction> rows = new ArrayList<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance(
                    "SELECT r, w, after_ms, samples, stale, stale_low, stale_high"
                        + " FROM counterpart.staleness WHERE keyspace_name = ? AND table_name = ?",
                    table.keyspace(),
                    table.table())
                .setNode(coordinator))) {
      rows.add(
          new Prediction(
              new Condition(row.getInt("r"), row.getInt("w"), row.getLong("after_ms")),
              row.getLong("samples"),
              row.getDouble("stale"),
              row.getDouble("stale_low"),
              row.getDouble("stale_high")));
    }
    return new Predictions(rows);
  }

  /**
   * The prediction for a condition.
   *
   * @throws IllegalStateException unless there is exactly one
   */
  Prediction of(Condition when) {
    List<Prediction> found = rows.stream().filter(row -> row.when().equals(when)).toList();
    if (found.size() != 1) {
      throw new IllegalStateException(
          "%d predictions for %s, needed: 1".formatted(found.size(), when));
    }
    return found.get(0);
  }
}
