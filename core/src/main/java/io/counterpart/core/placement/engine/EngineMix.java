package io.counterpart.core.placement.engine;

import java.util.Arrays;
import java.util.List;

/**
 * Copies and quorums of a heterogeneous keyspace in a datacenter, (N, W, R): each is told from the
 * others by {@link EngineQuotas}, and these from it.
 *
 * @param copies N, 1 or more
 * @param writeQuorum W, 1 to N
 * @param readQuorum R, 1 to N; together with W more than N
 */
public record EngineMix(int copies, int writeQuorum, int readQuorum) {
  /** Checks; a failure has the value and the legal range. */
  public EngineMix {
    EngineQuotas.of(copies, writeQuorum, readQuorum);
  }

  /**
   * The mix that a text names.
   *
   * @param text {@code N,W,R}
   * @throws IllegalArgumentException with the value and what is legal
   */
  public static EngineMix parse(String text) {
    if (!text.matches("\\d{1,3},\\d{1,3},\\d{1,3}")) {
      throw new IllegalArgumentException("'%s', legal: N,W,R such as 3,2,2".formatted(text));
    }
    List<Integer> parts = Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    return new EngineMix(parts.get(0), parts.get(1), parts.get(2));
  }

  /** The copies by class. */
  public EngineQuotas quotas() {
    return EngineQuotas.of(copies, writeQuorum, readQuorum);
  }

  /** The least mix with as many copies on each class as this one and another have. */
  public EngineMix covering(EngineMix other) {
    EngineQuotas own = quotas();
    EngineQuotas more = other.quotas();
    int write = Math.max(own.write(), more.write());
    int read = Math.max(own.read(), more.read());
    int all = write + read + Math.max(own.memory(), more.memory());
    return new EngineMix(all, all - read, all - write);
  }

  /** As {@link #parse} takes it. */
  public String option() {
    return "%d,%d,%d".formatted(copies, writeQuorum, readQuorum);
  }

  @Override
  public String toString() {
    return "(%d, %d, %d)".formatted(copies, writeQuorum, readQuorum);
  }
}
