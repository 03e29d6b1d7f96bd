package io.counterpart.cache.proxy;

import io.netty.util.internal.PlatformDependent;

/**
 * Limits on the memory of requests, from their first byte until their answer has left.
 *
 * @param totalBytes of all clients, 16 MiB and above
 * @param clientBytes of one client, 1 MiB to {@code totalBytes}. A larger request is served alone
 */
public record MemoryLimits(long totalBytes, long clientBytes) {
  /** Room for two of the largest writes. */
  public static final long MIN_TOTAL_BYTES = 16L << 20;

  /** Room for about the largest value. */
  public static final long MIN_CLIENT_BYTES = 1L << 20;

  /**
   * Divisor of the JVM's memory; the rest is for folding, repair, journals, and overhead of
   * buffers.
   */
  private static final int SHARE_OF_JVM = 4;

  private static final int CLIENTS_AT_LIMIT = 8;

  public MemoryLimits {
    if (totalBytes < MIN_TOTAL_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes for requests, legal: %d and above".formatted(totalBytes, MIN_TOTAL_BYTES));
    }
    if (clientBytes < MIN_CLIENT_BYTES || clientBytes > totalBytes) {
      throw new IllegalArgumentException(
          "%d bytes for the requests of a client, legal: %d to %d"
              .formatted(clientBytes, MIN_CLIENT_BYTES, totalBytes));
    }
  }

  /** A share of this JVM's memory. */
  public static MemoryLimits ofJvm() {
    return ofJvm(jvmBytes());
  }

  /** A share of a JVM's memory. */
  public static MemoryLimits ofJvm(long jvmBytes) {
    return ofTotal(Math.max(MIN_TOTAL_BYTES, jvmBytes / SHARE_OF_JVM));
  }

  /**
   * The limits of one of so many equal parts.
   *
   * @throws IllegalArgumentException if a part would be too small, with the legal total
   */
  public MemoryLimits divided(int parts) {
    long part = totalBytes / parts;
    if (part < MIN_TOTAL_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes for requests, legal in %d parts: %d and above"
              .formatted(totalBytes, parts, parts * MIN_TOTAL_BYTES));
    }
    return new MemoryLimits(part, Math.min(part, clientBytes));
  }

  /** Largest heap of this JVM, or its direct memory if that is less. */
  public static long jvmBytes() {
    return Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
  }

  /** The limits for a total: an eighth for each client. */
  public static MemoryLimits ofTotal(long totalBytes) {
    return new MemoryLimits(totalBytes, Math.max(MIN_CLIENT_BYTES, totalBytes / CLIENTS_AT_LIMIT));
  }
}
