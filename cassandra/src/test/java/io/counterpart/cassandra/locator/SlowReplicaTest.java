package io.counterpart.cassandra.locator;

import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.FAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_2;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_3;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.endpoints;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.forToken;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.report.ReplicaReport;
import io.counterpart.core.selection.SelectionRules;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Timings of messages and of own reads → order of replicas and reports. */
class SlowReplicaTest {
  private static final Duration TIME_OUT = Duration.ofSeconds(5);

  private final AtomicLong nanos = new AtomicLong();
  private final CoordinatorReads reads = new CoordinatorReads(SelectionRules.DEFAULT, nanos::get);
  private final PrimaryFirstSnitch snitch =
      new PrimaryFirstSnitch(new PrimaryFirstSnitchTest.OctetSnitch(), () -> reads);
  private long id;

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void primary_that_is_only_farther_away_than_the_coordinator_stays_first() {
    for (int i = 0; i < 100; i++) {
      reads.readLocally(this, NEAR_2, Duration.ofNanos(150_000).toNanos());
      read(ReadKind.POINT, NEAR_1, Duration.ofMillis(8));
    }

    assertThat(pointOrder(FAR_1, NEAR_1, NEAR_2, NEAR_3)).startsWith(NEAR_1).endsWith(FAR_1);
  }

  @Test
  void slow_primary_goes_behind_the_other_local_replicas_and_says_why() {
    readsOf(ReadKind.POINT, NEAR_1, Duration.ofMillis(5), 100);
    readsOf(ReadKind.POINT, NEAR_1, Duration.ofMillis(400), 20);

    assertThat(pointOrder(FAR_1, NEAR_1, NEAR_2, NEAR_3)).hasSize(4).endsWith(NEAR_1, FAR_1);
    ReplicaReport report = report(NEAR_1, ReadKind.POINT);
    assertThat(report.state()).isEqualTo("avoided");
    assertThat(report.lostShare()).isOne();
    assertThat(report.switches().get(0)).contains(" s ago: ", "slower in enough snapshots");
  }

  @Test
  void slow_range_reads_move_ranges_and_no_points() {
    readsOf(ReadKind.POINT, NEAR_1, Duration.ofMillis(5), 100);
    readsOf(ReadKind.RANGE, NEAR_1, Duration.ofMillis(1_500), 20);

    assertThat(pointOrder(NEAR_1, NEAR_2, NEAR_3)).startsWith(NEAR_1);
    assertThat(rangeOrder(NEAR_1, NEAR_2, NEAR_3)).endsWith(NEAR_1);
  }

  @Test
  void own_slow_range_reads_are_told_from_own_point_reads_by_their_request() {
    Object scan = new Object();
    reads.plansRange(scan);
    for (int i = 0; i < 100; i++) {
      reads.readLocally(scan, NEAR_1, Duration.ofMillis(1_500).toNanos());
      reads.readLocally(new Object(), NEAR_1, Duration.ofMillis(1).toNanos());
      pass(Duration.ofMillis(20));
    }

    assertThat(pointOrder(NEAR_1, NEAR_2, NEAR_3)).startsWith(NEAR_1);
    assertThat(rangeOrder(NEAR_1, NEAR_2, NEAR_3)).endsWith(NEAR_1);
  }

  @Test
  void a_primary_that_hangs_is_left_before_its_reads_time_out_and_its_ids_expire() {
    readsOf(ReadKind.POINT, NEAR_1, Duration.ofMillis(5), 100);
    for (int i = 0; i < 20; i++) {
      reads.sent(ReadKind.POINT, id++, NEAR_1, TIME_OUT.toNanos());
      pass(Duration.ofMillis(20));
    }
    assertThat(pointOrder(NEAR_1, NEAR_2, NEAR_3)).endsWith(NEAR_1);
    assertThat(report(NEAR_1, ReadKind.POINT).state()).isEqualTo("suspect");
    assertThat(reads.outstanding()).isEqualTo(20);

    for (int i = 0; i < 80; i++) {
      pass(Duration.ofMillis(100));
    }
    assertThat(reads.outstanding()).isZero();

    reads.lives(NEAR_1);
    pass(Duration.ofMillis(100));
    assertThat(report(NEAR_1, ReadKind.POINT).state()).isEqualTo("avoided");
  }

  @Test
  void suspects_and_idle_nodes_are_pinged_at_a_bounded_rate() {
    for (int node = 1; node <= 50; node++) {
      reads.readLocally(this, PrimaryFirstSnitchTest.address("127.1.1." + node), 1_000_000);
    }
    pass(Duration.ofMillis(10_001));

    assertThat(reads.snapshot(2)).hasSize(2);
    assertThat(reads.snapshot(100)).hasSize(48);
    assertThat(reads.snapshot(100)).isEmpty();
  }

  @Test
  void an_answer_to_anything_else_means_nothing() {
    reads.answered(77, NEAR_1, false);
    reads.sent(ReadKind.POINT, 1, NEAR_1, TIME_OUT.toNanos());
    reads.answered(1, NEAR_2, false);

    assertThat(reads.outstanding()).isOne();

    reads.answered(1, NEAR_1, true);
    pass(Duration.ofMillis(100));
    assertThat(report(NEAR_1, ReadKind.POINT).score().waiting()).isZero();
    assertThat(report(NEAR_1, ReadKind.POINT).score().meanMicros()).isNull();
  }

  @Test
  void outstanding_reads_are_bounded() {
    for (int i = 0; i < OutstandingReads.MOST + 1_000; i++) {
      reads.sent(ReadKind.POINT, id++, NEAR_1, TIME_OUT.toNanos());
    }

    assertThat(reads.outstanding()).isEqualTo(OutstandingReads.MOST);
  }

  private void readsOf(ReadKind kind, InetAddressAndPort endpoint, Duration each, int count) {
    for (int i = 0; i < count; i++) {
      // a state is told beside the best known endpoint, so there has to be another one
      reads.readLocally(this, NEAR_2, Duration.ofMillis(1).toNanos());
      read(kind, endpoint, each);
    }
  }

  private void read(ReadKind kind, InetAddressAndPort endpoint, Duration time) {
    reads.sent(kind, id, endpoint, TIME_OUT.toNanos());
    pass(time);
    reads.answered(id++, endpoint, false);
    pass(Duration.ofMillis(15));
  }

  private void pass(Duration time) {
    long end = nanos.get() + time.toNanos();
    long snapshot = SelectionRules.SNAPSHOT.toNanos();
    long next = (nanos.get() / snapshot + 1) * snapshot;
    while (next <= end) {
      nanos.set(next);
      reads.snapshot(0);
      next += snapshot;
    }
    nanos.set(end);
  }

  private ReplicaReport report(InetAddressAndPort endpoint, ReadKind kind) {
    return snitch.replicaReports().stream()
        .filter(each -> each.endpoint().equals(endpoint.getHostAddressAndPort()))
        .filter(each -> each.reads().equals(kind.label()))
        .findFirst()
        .orElseThrow();
  }

  private List<InetAddressAndPort> pointOrder(InetAddressAndPort... replicas) {
    return endpoints(snitch.sortedByProximity(NEAR_2, forToken(replicas)));
  }

  private List<InetAddressAndPort> rangeOrder(InetAddressAndPort... replicas) {
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(9));
    return endpoints(
        snitch.sortedByProximity(
            NEAR_2,
            EndpointsForRange.of(
                List.of(replicas).stream()
                    .map(endpoint -> Replica.fullReplica(endpoint, range))
                    .toArray(Replica[]::new))));
  }
}
