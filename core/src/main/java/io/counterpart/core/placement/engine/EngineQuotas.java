package io.counterpart.core.placement.engine;

import java.util.function.ToLongFunction;

/**
 * How many copies of each row the nodes of each engine class keep.
 *
 * <p>Of N copies a write waits for W and a read for R. Writes are to be answered by write-optimized
 * and memory nodes alone, reads by read-optimized and memory nodes: {@code write + memory ≥ W} and
 * {@code read + memory ≥ R}. With the least memory that is {@code write = N − R}, {@code read = N −
 * W}, {@code memory = W + R − N}. Since W + R &gt; N, every read meets every acknowledged write in
 * a copy, and at least one copy is in memory.
 *
 * <p>Worked: (3, 2, 2) gives one copy of each class; (4, 3, 2) gives two write-optimized copies, a
 * read-optimized one and one in memory.
 *
 * <p>Paper: MyCassandra §3.2 and §5.
 *
 * @param write copies on write-optimized nodes, 0 or more
 * @param read copies on read-optimized nodes, 0 or more
 * @param memory copies on memory nodes, 0 or more; one copy in all at least
 */
public record EngineQuotas(int write, int read, int memory) {
  /** Checks. */
  public EngineQuotas {
    if (Math.min(write, Math.min(read, memory)) < 0 || write + read + memory < 1) {
      throw new IllegalArgumentException(
          "copies by class are write %d, read %d, memory %d, legal: none negative, at least one copy"
              .formatted(write, read, memory));
    }
  }

  /**
   * The quotas with the least memory.
   *
   * @param copies N, 1 or more
   * @param writeQuorum W, 1 to N
   * @param readQuorum R, 1 to N; together with W more than N
   * @throws IllegalArgumentException with the value and the legal range
   */
  public static EngineQuotas of(int copies, int writeQuorum, int readQuorum) {
    if (copies < 1) {
      throw new IllegalArgumentException("copies (N) is " + copies + ", legal: 1 and above");
    }
    requireQuorum("write quorum (W)", writeQuorum, copies);
    requireQuorum("read quorum (R)", readQuorum, copies);
    if (writeQuorum + readQuorum <= copies) {
      throw new IllegalArgumentException(
          ("write quorum (W) + read quorum (R) is %d + %d = %d, legal: %d to %d, so that each read"
                  + " meets each write in one of the %d copies (N)")
              .formatted(
                  writeQuorum,
                  readQuorum,
                  writeQuorum + readQuorum,
                  copies + 1,
                  2 * copies,
                  copies));
    }
    return new EngineQuotas(
        copies - readQuorum, copies - writeQuorum, writeQuorum + readQuorum - copies);
  }

  private static void requireQuorum(String name, int value, int copies) {
    if (value < 1 || value > copies) {
      throw new IllegalArgumentException(
          "%s is %d, legal: 1 to %d, the copies (N)".formatted(name, value, copies));
    }
  }

  /** Copies on the nodes of a class. */
  public int of(EngineClass engine) {
    return switch (engine) {
      case WRITE -> write;
      case READ -> read;
      case MEMORY -> memory;
    };
  }

  /**
   * Looks whether a datacenter has a node for each copy.
   *
   * @param nodes how many it has of a class
   * @throws IllegalArgumentException with the number of nodes and the legal range
   */
  public void requireNodes(String datacenter, ToLongFunction<EngineClass> nodes) {
    for (EngineClass engine : EngineClass.values()) {
      long there = nodes.applyAsLong(engine);
      if (there < of(engine)) {
        throw new IllegalArgumentException(
            "%s: nodes of class %s are %d, legal: %d and above, for copies by class %s"
                .formatted(datacenter, engine, there, of(engine), this));
      }
    }
  }

  /** All copies, N. */
  public int copies() {
    return write + read + memory;
  }

  @Override
  public String toString() {
    return "write %d, read %d, memory %d".formatted(write, read, memory);
  }
}
