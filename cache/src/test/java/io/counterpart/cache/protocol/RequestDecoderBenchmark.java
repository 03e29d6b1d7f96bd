package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The cost of decoding one request of a pipeline: keys of 24 bytes, values of 64. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RequestDecoderBenchmark {
  private static final int PIPELINE = 32;

  /** The command of all requests in the pipeline. */
  @Param({"get", "set", "mg", "ms"})
  String command;

  private final RequestDecoder decoder = new RequestDecoder();
  private ByteBuf pipeline;

  /** Prepares a pipeline as it lies in a socket's buffer. */
  @Setup
  public void prepare() {
    pipeline = PooledByteBufAllocator.DEFAULT.directBuffer();
    String value = "v".repeat(64) + "\r\n";
    for (int i = 0; i < PIPELINE; i++) {
      String key = String.format("user%020d", i * 7919L);
      String request =
          switch (command) {
            case "get" -> "get " + key + "\r\n";
            case "set" -> "set " + key + " 0 0 64\r\n" + value;
            case "mg" -> "mg " + key + " v f c O" + i + "\r\n";
            case "ms" -> "ms " + key + " 64 F0 T0 O" + i + "\r\n" + value;
            default -> throw new IllegalArgumentException(command);
          };
      pipeline.writeCharSequence(request, ISO_8859_1);
    }
  }

  /** Releases the buffer. */
  @TearDown
  public void release() {
    pipeline.release();
  }

  /** Decodes one pipeline; the score is for one request. */
  @Benchmark
  @OperationsPerInvocation(PIPELINE)
  public void decode(Blackhole requests) {
    pipeline.readerIndex(0);
    for (Request request = decoder.next(pipeline);
        request != null;
        request = decoder.next(pipeline)) {
      requests.consume(request);
      request.release();
    }
  }
}
