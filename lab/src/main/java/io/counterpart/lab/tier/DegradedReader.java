package io.counterpart.lab.tier;

import io.counterpart.cache.coded.request.CodedObjects;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.lab.plan.BlockMeasure;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.tier.arm.OpenArm;
import io.counterpart.lab.tier.arm.TierUnderTest;
import io.counterpart.lab.tier.client.ClientWatch;
import io.counterpart.lab.tier.client.KeyCheck;
import io.counterpart.lab.tier.client.TierData;
import io.counterpart.lab.tier.database.TierDatabase;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Reads uniformly drawn objects, several at a time, and distinguishes degraded reads from others.
 * Reads on the tier's event loop, without the hop to the proxy. Paper: ECHash §5.3, Experiment 3.
 *
 * <p>As in the paper, a read that cannot be decoded goes to the database. Where there is none,
 * {@value #DATABASE_MICROS} µs are added to its latency instead.
 */
final class DegradedReader {
  /** Assumed latency of a database on the same network. */
  static final long DATABASE_MICROS = 1000;

  /** Reads under way. */
  static final int DEPTH = 8;

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final int MICRO = 1000;

  private final TierUnderTest tier;
  private final TierData data;
  private final SplittableRandom random;
  private final KeyCheck check = new KeyCheck();
  private final ClientWatch watch;
  private final @Nullable TierDatabase database;
  private final Histogram healthy = new Histogram(SIGNIFICANT_DIGITS);
  private final Histogram degraded = new Histogram(SIGNIFICANT_DIGITS);
  private final Histogram decoded = new Histogram(SIGNIFICANT_DIGITS);
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private int running = DEPTH;
  private boolean stopping;
  private long failed;

  private DegradedReader(
      OpenArm arm, long seed, ClientWatch watch, @Nullable TierDatabase database) {
    this.watch = watch;
    this.database = database;
    tier = arm.tier();
    data = arm.data();
    random = new SplittableRandom(seed);
  }

  /**
   * Starts reading.
   *
   * @param seed repeats the order of keys
   * @param watch is told of every answer
   * @param database for what cannot be decoded; null for none
   */
  static DegradedReader begin(
      OpenArm arm, long seed, ClientWatch watch, @Nullable TierDatabase database) {
    DegradedReader reader = new DegradedReader(arm, seed, watch, database);
    for (int i = 0; i < DEPTH; i++) {
      arm.tier().loop().execute(reader::next);
    }
    return reader;
  }

  /** Ends when the reads under way have ended. */
  void stop() throws IOException {
    tier.loop().execute(() -> stopping = true);
    TierUnderTest.await(ended);
  }

  /** Values of other keys; once stopped. */
  long wrong() {
    return check.wrong();
  }

  /** Reads that could not be decoded; once stopped. */
  long failed() {
    return failed;
  }

  /** Latencies by kind of read; once stopped. */
  Map<String, LatencySummary> latencies() {
    Map<String, LatencySummary> kinds = new LinkedHashMap<>();
    put(kinds, "read", healthy);
    put(kinds, BlockMeasure.DEGRADED_READ, degraded);
    put(kinds, BlockMeasure.DECODED_READ, decoded);
    return kinds;
  }

  private static void put(Map<String, LatencySummary> kinds, String kind, Histogram latencies) {
    if (latencies.getTotalCount() > 0) {
      kinds.put(kind, LatencySummary.of(latencies));
    }
  }

  private void next() {
    if (!stopping) {
      int key = random.nextInt(data.objects());
      tier.shard().objects().read(Key.of(data.key(key)), new OneRead(key));
    } else if (--running == 0) {
      ended.complete(true);
    }
  }

  /** A read under way. */
  private final class OneRead implements CodedObjects.Reader {
    private final int key;
    private final long beganNanos = System.nanoTime();
    private boolean missed;

    OneRead(int key) {
      this.key = key;
    }

    @Override
    public void missed() {
      missed = true;
    }

    @Override
    public void found(StoredRecord record, ByteBuf owner) {
      long micros = micros();
      check.value(key, record.value().nioBuffer());
      owner.release();
      watch.read(true, micros);
      if (missed) {
        degraded.recordValue(micros);
        decoded.recordValue(micros);
      } else {
        healthy.recordValue(micros);
      }
      tier.loop().execute(DegradedReader.this::next);
    }

    @Override
    public void absent() {
      fail();
    }

    @Override
    public void unavailable() {
      fail();
    }

    private void fail() {
      if (database == null) {
        undecoded(micros() + DATABASE_MICROS);
      } else {
        database.read(
            data.key(key),
            value -> {
              long micros = micros();
              tier.loop().execute(() -> fromDatabase(value, micros));
            });
      }
    }

    private void fromDatabase(@Nullable ByteBuffer value, long micros) {
      check.value(key, value == null ? ByteBuffer.allocate(0) : value);
      undecoded(micros);
    }

    private void undecoded(long micros) {
      failed++;
      watch.read(false, micros);
      degraded.recordValue(micros);
      tier.loop().execute(DegradedReader.this::next);
    }

    private long micros() {
      return (System.nanoTime() - beganNanos) / MICRO;
    }
  }
}
