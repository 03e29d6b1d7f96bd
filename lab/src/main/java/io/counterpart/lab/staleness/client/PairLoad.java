package io.counterpart.lab.staleness.client;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import java.util.List;

/**
 * Writes with a read after each.
 *
 * @param lanes writers, in turn
 * @param writeLevel of all writes
 * @param reads what follows a write
 * @param pairs how many, at least 1
 */
public record PairLoad(
    List<Lane> lanes, ConsistencyLevel writeLevel, Reads reads, int pairs, PairPace pace) {
  /** Plans the read after a write. */
  public interface Reads {
    /**
     * The read after that write.
     *
     * @param pair number of the write in the load, from 0 on
     */
    PlannedRead after(int pair, Lane lane);
  }
}
