package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * What a client sends: how much, how skewed, how fast, how safe.
 *
 * @param rows distinct keys inserted, 2 to 50,000,000
 * @param updates whole-pair updates after the inserts, Zipfian over all keys, at least 0
 * @param valueBytes bytes of one value; with the 24-byte key, 1000 makes the paper's 1 KiB pair
 * @param zipfianTheta skew of updates and reads, 0 to 1 exclusive; the paper uses 0.99
 * @param seed repeats keys, values and order exactly
 * @param inFlight operations sent and not yet answered, 1 to 4096
 * @param operationsPerSecond intended rate, or 0 to send as fast as answers come; with a rate,
 *     latencies count from the intended start so that a stalled server cannot hide its stall
 *     (coordinated omission)
 * @param writeConsistency consistency level of writes
 */
public record WorkloadSpec(
    int rows,
    int updates,
    int valueBytes,
    double zipfianTheta,
    long seed,
    int inFlight,
    int operationsPerSecond,
    ConsistencyLevel writeConsistency) {
  private static final int MAX_ROWS = 50_000_000;
  private static final int MAX_IN_FLIGHT = 4096;

  /** Checks every range. */
  public WorkloadSpec {
    require(rows >= 2 && rows <= MAX_ROWS, "rows", rows, "2 to " + MAX_ROWS);
    require(updates >= 0, "updates", updates, "at least 0");
    require(zipfianTheta > 0 && zipfianTheta < 1, "zipfianTheta", zipfianTheta, "above 0, below 1");
    require(inFlight >= 1 && inFlight <= MAX_IN_FLIGHT, "inFlight", inFlight, "1 to 4096");
    require(operationsPerSecond >= 0, "operationsPerSecond", operationsPerSecond, "at least 0");
    require(
        valueBytes >= ValueCodec.MIN_VALUE_BYTES && valueBytes % Long.BYTES == 0,
        "valueBytes",
        valueBytes,
        "a multiple of 8, at least " + ValueCodec.MIN_VALUE_BYTES);
  }

  /** The paper's pairs (1 KiB, θ = 0.99) at QUORUM, as fast as answers come. */
  public static WorkloadSpec of(int rows, int updates, long seed) {
    return new WorkloadSpec(
        rows, updates, 1000, 0.99, seed, 512, 0, DefaultConsistencyLevel.QUORUM);
  }

  /** The same with another number of operations under way. */
  public WorkloadSpec withInFlight(int operations) {
    return new WorkloadSpec(
        rows,
        updates,
        valueBytes,
        zipfianTheta,
        seed,
        operations,
        operationsPerSecond,
        writeConsistency);
  }

  /** Bytes that the user hands over: keys and values of every insert and update. */
  public long userBytes() {
    return (long) (rows + updates) * (valueBytes + SeededWorkload.keyName(0).length());
  }

  private static void require(boolean legal, String name, Object value, String range) {
    if (!legal) {
      throw new IllegalArgumentException("%s %s: must be %s".formatted(name, value, range));
    }
  }
}
