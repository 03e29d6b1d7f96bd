package io.counterpart.core.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
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
 * The cost of distinguishing primary from redundant copies at a flush: one lookup for each
 * partition. Run by {@code make microbench}.
 *
 * <p>Paper: DEPART §5.2 Exp#5 (replica differentiation takes less than 0.4 % of a write's time).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RingViewBenchmark {
  private static final int TOKENS = 1 << 16;
  private static final int NODES = 5;

  /** Arcs of the ring: 5 nodes of 16 tokens, of 256 tokens, and 100 nodes of 256 tokens. */
  @Param({"80", "1280", "25600"})
  int arcs;

  private RingView<Long> ring;
  private Long[] tokens;
  private int next;

  /** A random ring and random tokens, the same in every run. */
  @Setup
  public void prepare() {
    SplittableRandom random = new SplittableRandom(1);
    TreeSet<Long> ends = new TreeSet<>();
    while (ends.size() < arcs) {
      ends.add(random.nextLong());
    }
    List<List<Integer>> replicas = new ArrayList<>();
    for (int i = 0; i < arcs; i++) {
      replicas.add(List.of(i % NODES, (i + 1) % NODES, (i + 2) % NODES));
    }
    ring = RingView.of(List.copyOf(ends), replicas, 0, 256);
    tokens = random.longs(TOKENS).boxed().toArray(Long[]::new);
  }

  /** One lookup. */
  @Benchmark
  public Arc arc() {
    return ring.arc(tokens[next++ & (TOKENS - 1)]);
  }
}
