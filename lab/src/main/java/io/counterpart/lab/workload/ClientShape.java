package io.counterpart.lab.workload;

import io.counterpart.lab.workload.value.ValueKind;

/**
 * The shape of a client's key-value pairs and load, without their number.
 *
 * @param keyBytes bytes of a key, {@value KeyNames#MIN_BYTES} to {@value KeyNames#MAX_BYTES}
 * @param valueBytes bytes of a value, a multiple of 8, {@value ValueCodec#MIN_VALUE_BYTES} to 16
 *     MiB
 * @param zipfianTheta skew of updates and reads, above 0 and below 1
 * @param threads operations sent and not yet answered, as of so many synchronous client threads; 1
 *     to {@value #MAX_THREADS}
 * @param operationsPerSecond intended rate of measured phases, or 0 to send as fast as answers
 *     come; with a rate, latencies count from the intended start, so that a stalled server cannot
 *     hide its stall (coordinated omission). Loads are always as fast as answers come
 * @param valueKind content of values
 */
public record ClientShape(
    int keyBytes,
    int valueBytes,
    double zipfianTheta,
    int threads,
    int operationsPerSecond,
    ValueKind valueKind) {
  static final int MAX_THREADS = 4096;
  private static final int MAX_VALUE_BYTES = 16 << 20;
  private static final int MAX_RATE = 10_000_000;

  /** 1 KiB pairs of 24-byte keys, θ = 0.99, 50 threads. Paper: DEPART §5.1. */
  public static final ClientShape PAPER = new ClientShape(24, 1000, 0.99, 50, 0, ValueKind.RANDOM);

  /** Checks every range. */
  public ClientShape {
    require(
        keyBytes >= KeyNames.MIN_BYTES && keyBytes <= KeyNames.MAX_BYTES,
        "key size",
        keyBytes,
        KeyNames.MIN_BYTES + " to " + KeyNames.MAX_BYTES + " bytes");
    require(
        valueBytes >= ValueCodec.MIN_VALUE_BYTES
            && valueBytes <= MAX_VALUE_BYTES
            && valueBytes % Long.BYTES == 0,
        "value size",
        valueBytes,
        "a multiple of 8, " + ValueCodec.MIN_VALUE_BYTES + " to " + MAX_VALUE_BYTES + " bytes");
    require(
        zipfianTheta > 0 && zipfianTheta < 1,
        "zipfian constant",
        zipfianTheta,
        "above 0 and below 1");
    require(threads >= 1 && threads <= MAX_THREADS, "threads", threads, "1 to " + MAX_THREADS);
    require(
        operationsPerSecond >= 0 && operationsPerSecond <= MAX_RATE,
        "rate",
        operationsPerSecond,
        "1 to " + MAX_RATE + " operations/s, or 0 for as fast as answers come");
  }

  private static void require(boolean legal, String name, Object value, String range) {
    if (!legal) {
      throw new IllegalArgumentException("%s %s: must be %s".formatted(name, value, range));
    }
  }
}
