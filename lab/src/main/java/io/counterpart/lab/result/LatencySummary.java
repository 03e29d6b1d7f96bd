package io.counterpart.lab.result;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Latencies of one kind of operation in one block.
 *
 * @param count answers
 * @param p50Micros median
 * @param p99Micros 99th percentile
 * @param p999Micros 99.9th percentile
 * @param maxMicros slowest
 * @param meanMicros mean; 0 in files that are older than it
 * @param histogram the whole HDR histogram, compressed and in Base64, to be merged with others;
 *     empty in published results, which leave it out
 */
public record LatencySummary(
    long count,
    long p50Micros,
    long p99Micros,
    long p999Micros,
    long maxMicros,
    double meanMicros,
    String histogram) {
  private static final int BYTES = 1 << 20;
  private static final int DIGITS = 3;

  /** Reads files without histograms. */
  public LatencySummary {
    histogram = histogram == null ? "" : histogram;
  }

  /** One without a mean. */
  public LatencySummary(
      long count,
      long p50Micros,
      long p99Micros,
      long p999Micros,
      long maxMicros,
      String histogram) {
    this(count, p50Micros, p99Micros, p999Micros, maxMicros, 0, histogram);
  }

  /** The same summary without the histogram. */
  LatencySummary withoutHistogram() {
    return new LatencySummary(count, p50Micros, p99Micros, p999Micros, maxMicros, meanMicros, "");
  }

  /** The summary of a histogram in microseconds. */
  public static LatencySummary of(Histogram micros) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.max(BYTES, micros.getNeededByteBufferCapacity()));
    int length = micros.encodeIntoCompressedByteBuffer(bytes);
    byte[] encoded = Arrays.copyOf(bytes.array(), length);
    return new LatencySummary(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(99),
        micros.getValueAtPercentile(99.9),
        micros.getMaxValue(),
        micros.getMean(),
        Base64.getEncoder().encodeToString(encoded));
  }

  /**
   * The whole histogram, to be merged with others; one without values where it was left out.
   *
   * @throws IllegalArgumentException if the text is no histogram
   */
  public Histogram decode() {
    if (histogram.isEmpty()) {
      return new Histogram(DIGITS);
    }
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
    } catch (DataFormatException | BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not an HDR histogram", e);
    }
  }
}
