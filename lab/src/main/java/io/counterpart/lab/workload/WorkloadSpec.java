package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * A client's workload: its amount, shape and consistency.
 *
 * @param rows distinct keys inserted, 2 to 50,000,000
 * @param updates whole-pair updates after the inserts, Zipfian over all keys, at least 0
 * @param seed repeats keys, values and order exactly
 * @param shape pairs, skew, threads and rate
 * @param writeConsistency consistency level of loads
 */
public record WorkloadSpec(
    int rows, int updates, long seed, ClientShape shape, ConsistencyLevel writeConsistency) {
  private static final int MAX_ROWS = 50_000_000;

  /** The paper's pairs, with so many operations under way that loads do not wait for answers. */
  private static final ClientShape DEEP =
      new ClientShape(
          ClientShape.PAPER.keyBytes(),
          ClientShape.PAPER.valueBytes(),
          ClientShape.PAPER.zipfianTheta(),
          512,
          0,
          ClientShape.PAPER.valueKind());

  /** Checks every range. */
  public WorkloadSpec {
    if (rows < 2 || rows > MAX_ROWS) {
      throw new IllegalArgumentException("rows %d: must be 2 to %d".formatted(rows, MAX_ROWS));
    }
    if (updates < 0) {
      throw new IllegalArgumentException("updates %d: must be at least 0".formatted(updates));
    }
  }

  /** The paper's pairs at QUORUM, with 512 operations under way. */
  public static WorkloadSpec of(int rows, int updates, long seed) {
    return new WorkloadSpec(rows, updates, seed, DEEP, DefaultConsistencyLevel.QUORUM);
  }

  /** Inserts of a shape at QUORUM. */
  public static WorkloadSpec of(int rows, long seed, ClientShape shape) {
    return new WorkloadSpec(rows, 0, seed, shape, DefaultConsistencyLevel.QUORUM);
  }

  /** Bytes that the user hands over: keys and values of every insert and update. */
  public long userBytes() {
    return ((long) rows + updates) * (shape.keyBytes() + shape.valueBytes());
  }

  KeyNames keys() {
    return new KeyNames(shape.keyBytes());
  }
}
