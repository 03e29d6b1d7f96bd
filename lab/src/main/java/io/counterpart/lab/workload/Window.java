package io.counterpart.lab.workload;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Bounded in-flight operations of one phase, with their pacing and latencies.
 *
 * <p>One thread submits; answers arrive on driver threads. {@link #close} waits for the last
 * answer, which also makes everything that answers wrote visible to the submitting thread.
 */
public final class Window implements AutoCloseable {
  static final long MAX_LATENCY_MICROS = 600_000_000L;
  static final int SIGNIFICANT_DIGITS = 3;
  private static final int PROGRESS_STEP = 500;

  private final int inFlight;
  private final Semaphore permits;
  private final long intervalNanos;
  private final LongConsumer progress;
  private final LongAdder alsoCounts;
  private final Map<OperationKind, Recorder> latencies = new EnumMap<>(OperationKind.class);
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final long startNanos = System.nanoTime();
  private volatile String firstError = "";
  private long submitted;

  /**
   * @param inFlight most operations without an answer
   * @param operationsPerSecond intended rate, 0 for none
   * @param progress told the number submitted now and then, on the submitting thread
   */
  public Window(int inFlight, int operationsPerSecond, LongConsumer progress) {
    this(inFlight, operationsPerSecond, progress, new LongAdder());
  }

  /**
   * @param alsoCounts operations answered well, beyond this window's life
   */
  Window(int inFlight, int operationsPerSecond, LongConsumer progress, LongAdder alsoCounts) {
    this.inFlight = inFlight;
    this.progress = progress;
    this.alsoCounts = alsoCounts;
    permits = new Semaphore(inFlight);
    intervalNanos = operationsPerSecond == 0 ? 0 : 1_000_000_000L / operationsPerSecond;
    for (OperationKind kind : OperationKind.values()) {
      latencies.put(kind, new Recorder(MAX_LATENCY_MICROS, SIGNIFICANT_DIGITS));
    }
  }

  /**
   * Sends one operation when there is room for it; its result goes to the consumer on a driver
   * thread.
   */
  public <T> void submit(
      OperationKind kind, Supplier<CompletionStage<T>> operation, Consumer<T> onAnswer) {
    long intended = intervalNanos == 0 ? 0 : pace();
    permits.acquireUninterruptibly();
    long began = intervalNanos == 0 ? System.nanoTime() : intended;
    try {
      operation.get().whenComplete((result, error) -> settle(kind, began, result, error, onAnswer));
    } catch (RuntimeException e) {
      fail(e);
      permits.release();
    }
    if (++submitted % PROGRESS_STEP == 0) {
      progress.accept(submitted);
    }
  }

  /** Waits for every answer. */
  @Override
  public void close() {
    permits.acquireUninterruptibly(inFlight);
    permits.release(inFlight);
    progress.accept(submitted);
  }

  /** Waits for every answer and sums up. */
  PhaseOutcome finish() {
    close();
    long nanos = System.nanoTime() - startNanos;
    Map<OperationKind, Histogram> recorded = new EnumMap<>(OperationKind.class);
    latencies.forEach(
        (kind, recorder) -> {
          Histogram histogram = recorder.getIntervalHistogram();
          if (histogram.getTotalCount() > 0) {
            recorded.put(kind, histogram);
          }
        });
    return new PhaseOutcome(
        answered.sum(), failed.sum(), nanos, new Latencies(recorded), firstError);
  }

  private <T> void settle(
      OperationKind kind, long began, T result, @Nullable Throwable error, Consumer<T> onAnswer) {
    try {
      if (error == null) {
        onAnswer.accept(result);
        answered.increment();
        alsoCounts.increment();
        long micros = (System.nanoTime() - began) / 1000;
        recorder(kind).recordValue(Math.min(micros, MAX_LATENCY_MICROS));
      } else {
        fail(error);
      }
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      permits.release();
    }
  }

  private Recorder recorder(OperationKind kind) {
    return Objects.requireNonNull(latencies.get(kind), kind.name());
  }

  private void fail(Throwable error) {
    failed.increment();
    if (firstError.isEmpty()) {
      firstError = String.valueOf(error);
    }
  }

  private long pace() {
    long intended = startNanos + submitted * intervalNanos;
    long wait;
    while ((wait = intended - System.nanoTime()) > 0) {
      LockSupport.parkNanos(wait);
    }
    return intended;
  }
}
