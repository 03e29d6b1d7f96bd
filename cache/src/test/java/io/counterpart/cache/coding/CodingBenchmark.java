package io.counterpart.cache.coding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of coding a stripe of 4 KiB chunks. k × 4096 bytes divided by a result in nanoseconds
 * are gigabytes a second. Run by {@code make microbench}.
 *
 * <p>Paper: ECHash §5.1 (ISA-L's coder, chunks of 4 KiB).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodingBenchmark {
  private static final int CHUNK_BYTES = 4096;

  /** n and k. */
  @Param({"5,3", "8,6"})
  String shape;

  /** The coder; {@code isa-l} fails where the library is missing. */
  @Param({"isa-l", "java"})
  String coder;

  private ErasureCode code;
  private ByteBuffer[] chunks;
  private ByteBuffer[] data;
  private ByteBuffer[] parity;
  private int lost;

  /**
   * Prepares random data and its parity, the same in every run, with as many lost chunks as the
   * code tolerates.
   */
  @Setup
  public void prepare() {
    CodeShape parsed = CodeShape.parse(shape);
    code = coder.equals("isa-l") ? new IsaLCode(parsed) : new JavaCode(parsed);
    SplittableRandom random = new SplittableRandom(1);
    chunks = new ByteBuffer[parsed.n()];
    for (int i = 0; i < chunks.length; i++) {
      byte[] bytes = new byte[CHUNK_BYTES];
      random.nextBytes(bytes);
      chunks[i] = ByteBuffer.allocateDirect(CHUNK_BYTES).put(bytes).flip();
    }
    data = Arrays.copyOf(chunks, parsed.k());
    parity = Arrays.copyOfRange(chunks, parsed.k(), parsed.n());
    lost = (1 << parsed.parityCount()) - 1;
  }

  /** All parity of a stripe. */
  @Benchmark
  public ByteBuffer[] encode() {
    code.encode(data, parity);
    return parity;
  }

  /** The first n−k data chunks, of the others. */
  @Benchmark
  public ByteBuffer[] decode() {
    code.decode(chunks, (1 << chunks.length) - 1 ^ lost, lost);
    return chunks;
  }
}
