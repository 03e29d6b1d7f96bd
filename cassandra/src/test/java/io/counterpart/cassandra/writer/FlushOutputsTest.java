package io.counterpart.cassandra.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.options.Mode;
import io.counterpart.cassandra.options.SplitTime;
import io.counterpart.cassandra.ring.RandomRing;
import io.counterpart.cassandra.ring.RingSnapshot;
import io.counterpart.core.ring.Arc;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outputs of flushes and streams: how many, and the Bloom filters that they get. */
class FlushOutputsTest {
  private static final double WANTED_CHANCE = 0.01;
  private static final int PROBES = 20_000;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @ParameterizedTest(name = "nodes={0} tokens={1} heap_mib={2} split={3} → outputs={4}..{5}")
  @CsvSource({
    "5,  16,  8192, FLUSH,      10, 56",
    "5,  16,  450,  FLUSH,      10, 56",
    "5,  16,  8192, BACKGROUND, 2,  2",
    "30, 256, 8192, FLUSH,      55, 59",
    "30, 256, 450,  FLUSH,      2,  2",
  })
  void a_flush_writes_to_no_more_files_than_fit_the_heap(
      int nodes, int tokens, long heapMebibytes, SplitTime split, int least, int most) {
    RingSnapshot ring = RandomRing.of(nodes, tokens, 256, seed);
    RingSlice slice = RingSlice.all(ring);
    int open = OpenWriters.most(heapMebibytes << 20);
    RunsAtFlush policy = new RunsAtFlush(split, 4 << 20, open);
    boolean runs = policy.writesRuns(1L << 40, slice.redundantGroups());
    FlushRouting routing =
        new FlushRouting(
            ring, Mode.DECOUPLED, runs ? FlushRouting.Outputs.RUNS : FlushRouting.Outputs.SEGMENT);

    Map<Integer, List<Token>> outputs = outputs(routing, tokens(100_000, random::nextLong));

    assertThat(outputs.keySet()).as("seed %d", seed).hasSizeBetween(least, most);
    assertThat(policy.refuses(slice.redundantGroups()))
        .isEqualTo(split == SplitTime.FLUSH && most == 2);
  }

  /** It would overlap with every other sstable, and hold back what has expired. */
  @Test
  void no_run_of_a_flush_spans_the_ring() {
    RingSnapshot ring = RandomRing.of(5, 16, 256, seed);
    for (long next = seed + 1; !ring.view().arcAt(0).isRedundant(); next++) {
      ring = RandomRing.of(5, 16, 256, next);
    }
    RingView<Token> view = ring.view();
    FlushRouting routing = new FlushRouting(ring, Mode.DECOUPLED, FlushRouting.Outputs.RUNS);

    outputs(routing, tokens(100_000, random::nextLong)).values().stream()
        .filter(held -> view.arc(held.get(0)).isRedundant())
        .forEach(
            held ->
                assertThat(view.withinOneGroup(Collections.min(held), Collections.max(held)))
                    .as("seed %d", seed)
                    .isTrue());
  }

  @ParameterizedTest(name = "runs={0} directories={1}")
  @CsvSource({"false, 1", "false, 4", "true, 1", "true, 4"})
  void filters_of_a_flush_stop_what_they_should(boolean runs, int directories) {
    RingSnapshot ring = RandomRing.of(5, 16, 256, seed);
    for (int disk = 0; disk < directories; disk++) {
      RingSlice slice = slice(ring, disk, directories);
      List<Token> tokens = new ArrayList<>();
      for (Token token : tokens(200_000, random::nextLong)) {
        if (slice.tokens().contains(token)) {
          tokens.add(token);
        }
      }

      FlushRouting routing =
          new FlushRouting(
              ring,
              Mode.DECOUPLED,
              runs ? FlushRouting.Outputs.RUNS : FlushRouting.Outputs.SEGMENT);
      Map<Integer, List<Token>> outputs = outputs(routing, tokens);

      int owned = outputs.values().stream().mapToInt(List::size).sum();
      OutputKeys keys = OutputKeys.ofFlush(owned, slice);
      outputs.forEach(
          (bucket, held) -> {
            if (held.size() > 1000) {
              long estimate = keys.in(routing.ranges(bucket));
              assertThat(estimate).as("seed %d", seed).isLessThan(2L * held.size());
              assertThat(falsePositives(held, estimate))
                  .as("seed %d, %d keys in a filter for %d", seed, held.size(), estimate)
                  .isLessThan(3 * WANTED_CHANCE);
            }
          });
    }
  }

  @ParameterizedTest(name = "directories={0}")
  @CsvSource({"1", "4"})
  void filters_of_a_stream_of_one_range_stop_what_they_should(int directories) {
    RingSnapshot ring = RandomRing.of(5, 16, 256, seed);
    FlushRouting routing = new FlushRouting(ring, Mode.DECOUPLED, FlushRouting.Outputs.SEGMENT);
    for (boolean primary : new boolean[] {true, false}) {
      List<Token> tokens = tokensOfOneArc(ring, primary, 20_000);
      OutputKeys keys = OutputKeys.ofStream(tokens.size() / directories, directories);

      outputs(routing, tokens)
          .forEach(
              (bucket, held) ->
                  assertThat(falsePositives(held, keys.in(routing.ranges(bucket))))
                      .as("seed %d", seed)
                      .isLessThan(2 * WANTED_CHANCE));
    }
  }

  @Test
  void a_large_stream_does_not_fill_memory_with_filters() {
    OutputKeys keys = OutputKeys.ofStream(50_000_000, 8);

    assertThat(keys.in(List.of())).isEqualTo(50_000_000);
  }

  @Test
  void a_slice_has_the_groups_of_its_tokens_alone() {
    RingSnapshot ring = RandomRing.of(5, 16, 256, seed);
    int all = RingSlice.all(ring).redundantGroups();
    int sum = 0;
    for (int disk = 0; disk < 4; disk++) {
      sum += slice(ring, disk, 4).redundantGroups();
    }

    assertThat(all).as("seed %d", seed).isEqualTo(ring.view().redundantGroups());
    // a group at a border belongs to both slices
    assertThat(sum).as("seed %d", seed).isBetween(all, all + 4);
  }

  private static Map<Integer, List<Token>> outputs(FlushRouting routing, List<Token> tokens) {
    Map<Integer, List<Token>> outputs = new HashMap<>();
    for (Token token : tokens) {
      if (routing.ring().view().arc(token).isOwned()) {
        outputs.computeIfAbsent(routing.bucket(token), bucket -> new ArrayList<>()).add(token);
      }
    }
    return outputs;
  }

  private static List<Token> tokens(int count, LongSupplier source) {
    List<Token> tokens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tokens.add(new LongToken(source.getAsLong()));
    }
    return tokens;
  }

  private List<Token> tokensOfOneArc(RingSnapshot ring, boolean primary, int count) {
    for (int i = 1; i < ring.view().arcCount(); i++) {
      Arc arc = ring.view().arcAt(i);
      if (primary ? arc.isPrimary() : arc.isRedundant()) {
        long start = ((LongToken) ring.view().start(i)).getLongValue();
        long end = ((LongToken) ring.view().end(i)).getLongValue();
        return tokens(count, () -> random.nextLong(start + 1, end + 1));
      }
    }
    throw new AssertionError("node 0 owns nothing, seed " + seed);
  }

  /** Data directories get even parts of the ring. */
  private static RingSlice slice(RingSnapshot ring, int disk, int directories) {
    if (directories == 1) {
      return RingSlice.all(ring);
    }
    long step = Long.MIN_VALUE / directories * -2;
    Token lowest = new LongToken(Long.MIN_VALUE);
    Token left = disk == 0 ? lowest : new LongToken(Long.MIN_VALUE + disk * step);
    Token right =
        disk == directories - 1 ? lowest : new LongToken(Long.MIN_VALUE + (disk + 1) * step);
    return new RingSlice(ring, new Range<>(left, right));
  }

  private double falsePositives(List<Token> held, long estimate) {
    try (IFilter filter = FilterFactory.getFilter(estimate, WANTED_CHANCE)) {
      held.forEach(token -> filter.add(key(((LongToken) token).getLongValue())));
      int found = 0;
      for (int i = 0; i < PROBES; i++) {
        found += filter.isPresent(key(random.nextLong())) ? 1 : 0;
      }
      return (double) found / PROBES;
    }
  }

  private static DecoratedKey key(long value) {
    return new BufferDecoratedKey(new LongToken(value), ByteBufferUtil.bytes(value));
  }
}
