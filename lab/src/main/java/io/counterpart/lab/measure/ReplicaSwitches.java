package io.counterpart.lab.measure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.counterpart.lab.result.Counters;
import java.util.List;
import java.util.Map;

/**
 * Switches of endpoints that coordinators made of late, from {@code counterpart.replicas}, which
 * keeps the last ten of an endpoint: more of one endpoint count as ten.
 */
public final class ReplicaSwitches {
  private static final String QUERY = "SELECT reads, state, switches FROM counterpart.replicas";
  private static final String POINTS = "point";
  private static final String IDLE = "idle";
  private static final String AGO = " s ago: ";
  private static final double NANOS = 1e9;

  private ReplicaSwitches() {}

  /**
   * Switches since a moment, and seconds of endpoints that are read from, as counters of a block.
   *
   * @param sinceNanos {@link System#nanoTime()} of the moment
   */
  public static Map<String, Long> since(CqlSession session, long sinceNanos) {
    long switches = 0;
    double seconds = 0;
    for (Node coordinator : session.getMetadata().getNodes().values()) {
      for (Row row : session.execute(SimpleStatement.newInstance(QUERY).setNode(coordinator))) {
        double elapsed = (System.nanoTime() - sinceNanos) / NANOS;
        if (POINTS.equals(row.getString("reads"))) {
          List<String> lines = row.getList("switches", String.class);
          switches += within(lines == null ? List.of() : lines, elapsed);
          // an endpoint that nobody reads from has no reason to switch
          seconds += IDLE.equals(row.getString("state")) ? 0 : elapsed;
        }
      }
    }
    return Map.of(Counters.SWITCHES, switches, Counters.SWITCH_SECONDS, Math.round(seconds));
  }

  /**
   * Lines that are younger than so many seconds.
   *
   * @throws IllegalStateException if a line does not begin with its age
   */
  static long within(List<String> lines, double seconds) {
    return lines.stream().filter(line -> age(line) < seconds).count();
  }

  private static double age(String line) {
    int end = line.indexOf(AGO);
    if (end < 0) {
      throw new IllegalStateException(
          "counterpart.replicas: switch '%s' does not begin with its age in seconds"
              .formatted(line));
    }
    return Double.parseDouble(line.substring(0, end));
  }
}
