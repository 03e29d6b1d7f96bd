package io.counterpart.cassandra.locator;

import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.FAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_2;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_3;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.endpoints;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.forToken;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The conditions under which a primary loses rows to other replicas, the delay, and the way back.
 */
class SlowReplicaTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ReplicaLatencies latencies =
      new ReplicaLatencies(2, Duration.ofMillis(20), nanos::get);
  private final PrimaryFirstSnitch snitch =
      new PrimaryFirstSnitch(new PrimaryFirstSnitchTest.OctetSnitch(), () -> latencies);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void primary_that_is_only_farther_away_than_the_coordinator_stays_first() {
    timings(NEAR_1, 8, 100);
    timings(NEAR_2, 0, 100);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_2, forToken(NEAR_1, NEAR_2, NEAR_3))))
        .startsWith(NEAR_1);
  }

  @Test
  void slow_primary_goes_behind_the_other_local_replicas_and_comes_back() {
    timings(NEAR_1, 200, 100);
    timings(NEAR_2, 5, 100);
    EndpointsForToken natural = forToken(FAR_1, NEAR_1, NEAR_2, NEAR_3);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_2, natural)))
        .hasSize(4)
        .endsWith(NEAR_1, FAR_1);

    nanos.addAndGet(ReplicaLatencies.REMEMBERED.toNanos() + 1);
    assertThat(endpoints(snitch.sortedByProximity(NEAR_2, natural))).startsWith(NEAR_1);
  }

  @Test
  void time_outs_and_slow_range_reads_among_fast_reads_are_no_evidence() {
    for (int fast : new int[] {1, 8, 28}) {
      timings(NEAR_1, 5, fast);
      timings(NEAR_1, 5_000, Math.max(1, fast / 7));
      assertThat(lostRows()).as("after %d fast reads", fast).isEmpty();

      pass(ReplicaLatencies.REMEMBERED.multipliedBy(2));
      timings(NEAR_1, 5, 2);
    }
  }

  @Test
  void a_few_more_time_outs_move_a_part_of_the_rows() {
    timings(NEAR_1, 5, 27);
    timings(NEAR_1, 5_000, 5);

    assertThat(lostRows()).hasSizeBetween(2_500, 3_500);
  }

  @Test
  void first_read_after_a_start_is_no_evidence_and_the_second_slow_one_is() {
    timings(NEAR_1, 5_000, 1);
    assertThat(lostRows()).isEmpty();

    timings(NEAR_1, 5_000, 1);
    assertThat(lostRows()).hasSize(10_000);
  }

  @Test
  void a_replica_that_hangs_is_left_at_the_second_time_out_of_a_client_that_waits_for_each() {
    timings(NEAR_1, 5, 100);

    pass(Duration.ofMillis(5_001));
    timings(NEAR_1, 5_000, 1);
    assertThat(lostRows()).isEmpty();

    pass(Duration.ofMillis(5_001));
    timings(NEAR_1, 5_000, 1);
    assertThat(lostRows()).hasSize(10_000);
  }

  @Test
  void a_replica_that_hangs_under_load_is_left_after_a_few_time_outs() {
    timings(NEAR_1, 5, 100);

    timings(NEAR_1, 5_000, 7);

    assertThat(lostRows()).hasSize(10_000);
  }

  @Test
  void a_replica_that_gets_slow_loses_rows_within_a_window_of_reads() {
    timings(NEAR_1, 5, 100);
    int reads = 0;
    while (lostRows().isEmpty()) {
      timings(NEAR_1, 200, 1);
      reads++;
    }
    assertThat(reads).isBetween(6, 16);

    timings(NEAR_1, 200, 32 - reads);
    assertThat(lostRows()).hasSize(10_000);
  }

  @Test
  void a_replica_that_is_slow_for_a_third_of_its_reads_loses_rows() {
    for (int i = 0; i < 11; i++) {
      timings(NEAR_1, 1_000, 1);
      timings(NEAR_1, 5, 2);
    }

    assertThat(lostRows()).hasSize(10_000);
  }

  @Test
  void an_avoided_replica_is_tried_again_and_its_first_read_tells() {
    timings(NEAR_1, 5_000, 20);
    pass(ReplicaLatencies.REMEMBERED.plusMillis(1));
    assertThat(lostRows()).isEmpty();

    timings(NEAR_1, 5_000, 1);
    assertThat(lostRows()).hasSize(10_000);

    pass(ReplicaLatencies.REMEMBERED.plusMillis(1));
    timings(NEAR_1, 5, 1);
    assertThat(lostRows()).isEmpty();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void the_slower_a_primary_the_more_of_its_rows_it_loses() {
    timings(NEAR_1, 30, 200);
    assertThat(lostRows()).isEmpty();

    timings(NEAR_1, 60, 200);
    Set<Long> busy = lostRows();
    assertThat(busy).hasSizeBetween(1_500, 1_850);

    timings(NEAR_2, 5, 200);
    Set<Long> slowerThanAnother = lostRows();
    assertThat(slowerThanAnother).hasSizeBetween(3_150, 3_500).containsAll(busy);

    timings(NEAR_1, 125, 200);
    assertThat(lostRows()).hasSize(10_000);
  }

  /** Of ten thousand rows, those that are not read from their primary. */
  private Set<Long> lostRows() {
    Set<Long> lost = new HashSet<>();
    for (long token = 0; token < 10_000; token++) {
      EndpointsForToken natural = forToken(new LongToken(token), NEAR_1, NEAR_2, NEAR_3);
      if (!endpoints(snitch.sortedByProximity(NEAR_2, natural)).get(0).equals(NEAR_1)) {
        lost.add(token);
      }
    }
    return lost;
  }

  @Test
  void order_stays_when_all_replicas_are_slow() {
    timings(NEAR_1, 300, 200);
    timings(NEAR_2, 200, 200);
    timings(NEAR_3, 250, 200);

    assertThat(endpoints(snitch.sortedByProximity(NEAR_2, forToken(NEAR_1, NEAR_2, NEAR_3))))
        .startsWith(NEAR_1);
  }

  private void timings(InetAddressAndPort replica, long millis, int count) {
    for (int i = 0; i < count; i++) {
      latencies.receiveTiming(replica, millis, TimeUnit.MILLISECONDS);
    }
  }
}
