package io.counterpart.cache.index;

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

/** The cost of the object index for a request that needs it: every write, every degraded read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ObjectIndexBenchmark {
  private static final int MAX_STRIPE = 1 << 20;

  /** Objects in the index: one number fits a processor's cache, the other does not. */
  @Param({"100000", "10000000"})
  int objects;

  private final ObjectIndex index = new ObjectIndex();
  private SplittableRandom present = new SplittableRandom(1);
  private final SplittableRandom absent = new SplittableRandom(2);
  private int looked;

  /** Fills the index, with the same hashes in every run. */
  @Setup
  public void prepare() {
    for (int i = 0; i < objects; i++) {
      index.add(present.nextLong(), i % MAX_STRIPE, i & 127);
    }
    present = new SplittableRandom(1);
  }

  /** A look-up of a present object. */
  @Benchmark
  public long find() {
    if (++looked == objects) {
      looked = 0;
      present = new SplittableRandom(1);
    }
    return index.find(present.nextLong());
  }

  /** A look-up of an absent object. */
  @Benchmark
  public long findAbsent() {
    return index.find(absent.nextLong());
  }

  /** An object that comes and goes, in a full table. */
  @Benchmark
  public boolean addAndRemove() {
    long hash = absent.nextLong();
    index.add(hash, MAX_STRIPE, 0);
    return index.remove(hash, MAX_STRIPE, 0);
  }
}
