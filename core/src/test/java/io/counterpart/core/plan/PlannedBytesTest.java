package io.counterpart.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The planner's bytes and files over time, beside stock UCS {@code T4}. */
class PlannedBytesTest {
  private static final long MIB = 1L << 20;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @CsvSource({"2, 1", "2, 7", "20, 1"})
  void a_ttl_table_rewrites_at_most_a_fifth_more_than_ucs(int flushMib, int ttlDays) {
    Duration ttl = Duration.ofDays(ttlDays);

    SimulatedTable ours = table(decoupled(4 * MIB), flushMib, HOUR, ttl).flush(24 * 21);
    SimulatedTable stock = table(null, flushMib, HOUR, ttl).flush(24 * 21);

    assertThat(ours.compactedBytes()).isLessThanOrEqualTo(1.2 * stock.compactedBytes());
    // three weeks were written, of which at most the TTL and its merges' lag may lie on disk
    assertThat(ours.bytes()).isLessThan(2.0 * ttlDays * 24 * flushMib * MIB);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 11, 16, 30, 41})
  void a_small_table_that_was_loaded_has_no_more_files_than_ucs(int flushes) {
    SimulatedTable ours = table(decoupled(3 * MIB), 3.3, SECOND, null).flush(flushes).rest(HOUR);
    SimulatedTable stock = table(null, 3.3, SECOND, null).flush(flushes);

    assertThat(ours.files()).isLessThanOrEqualTo(stock.files());
    assertThat(ours.compactedBytes()).isLessThanOrEqualTo(1.4 * stock.compactedBytes());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 2})
  void a_small_table_that_is_written_slowly_never_has_a_fifth_more_files_than_ucs(double flushMib) {
    SimulatedTable ours = table(decoupled(4 * MIB), flushMib, HOUR, null).flush(60);
    SimulatedTable stock = table(null, flushMib, HOUR, null).flush(60);

    assertThat(ours.mostFiles()).isLessThanOrEqualTo((int) (1.2 * stock.mostFiles()));
    assertThat(ours.compactedBytes()).isLessThanOrEqualTo(stock.compactedBytes());
  }

  /** A table that outgrows its undivided log while it is loaded pays nothing for having had it. */
  @ParameterizedTest
  @CsvSource({"3.5, 55", "3.5, 68", "3.5, 100", "3.5, 200", "2.1, 108", "1.2, 200"})
  void bytes_at_the_scale_of_the_bench_do_not_depend_on_the_undivided_log(
      double flushMib, int flushes) {
    Planner<Integer> always =
        SimulatedTable.planner(3 * MIB, Duration.ofSeconds(10), SmallTable.never());

    SimulatedTable ours =
        table(decoupled(3 * MIB), flushMib, SECOND, null).flush(flushes).rest(HOUR);
    SimulatedTable divided = table(always, flushMib, SECOND, null).flush(flushes).rest(HOUR);

    assertThat(ours.compactedBytes()).isLessThanOrEqualTo(1.03 * divided.compactedBytes());
    assertThat(ours.files()).isLessThanOrEqualTo(divided.files());
  }

  /** The division is one rewrite of what the log held: no byte is rewritten twice for it. */
  @ParameterizedTest
  @ValueSource(ints = {42, 43, 44})
  void growing_out_of_the_log_rewrites_it_once(int flushes) {
    SimulatedTable table = table(decoupled(3 * MIB), 3.5, SECOND, null).flush(flushes);

    assertThat(table.aligned()).isGreaterThanOrEqualTo(48);
    assertThat(table.compactedBytes()).isLessThanOrEqualTo(150.0 * MIB);
  }

  private static Planner<Integer> decoupled(long minRunBytes) {
    return SimulatedTable.planner(
        minRunBytes, Duration.ofSeconds(60), new SmallTable(minRunBytes, 1L << 30));
  }

  private static SimulatedTable table(
      @Nullable Planner<Integer> planner,
      double flushMib,
      Duration betweenFlushes,
      @Nullable Duration ttl) {
    return new SimulatedTable(
        new SimulatedTable.Setup(planner, flushMib * MIB, betweenFlushes, ttl));
  }
}
