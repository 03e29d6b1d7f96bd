package io.counterpart.cassandra.consistency.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import io.counterpart.core.staleness.estimate.FixedGap;
import io.counterpart.core.staleness.estimate.SampledWrites;
import java.lang.ref.WeakReference;
import java.net.UnknownHostException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class WriteSamplerTest {
  private static final long MILLI = 1_000_000;
  private static final InetAddressAndPort SELF = address("127.0.0.1");
  private static final InetAddressAndPort SECOND = address("127.0.0.2");
  private static final InetAddressAndPort THIRD = address("127.0.0.3");
  private static final List<InetAddressAndPort> REPLICAS = List.of(SELF, SECOND, THIRD);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean applied = new AtomicBoolean(true);
  private final AtomicInteger questions = new AtomicInteger();
  private ReplicaSet replicas = ReplicaSet.of(REPLICAS, node -> true);
  private final Failures failures = new Failures();
  private final Estimates estimates =
      new Estimates(ErrorBudget.HOURLY, nanos::get, new SplittableRandom(1));
  private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
  private final WriteSampler sampler =
      new WriteSampler(
          estimates,
          failures,
          new WriteSampler.Place(
              SELF,
              nanos::get,
              (keyspace, token) -> replicas,
              update ->
                  () -> {
                    assertThat(update.isEmpty()).isFalse();
                    questions.incrementAndGet();
                    return applied.get();
                  },
              background));

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
    DatabaseDescriptor.getRawConfig().max_mutation_size =
        new DataStorageSpec.IntKibibytesBound("16MiB");
  }

  @AfterEach
  void stop() {
    background.shutdownNow();
  }

  @Test
  void samples_the_time_from_the_return_to_each_acknowledgement() {
    Message<Mutation> message = write(1);
    sampler.begin(ReadLevel.OTHER);
    send(message);
    nanos.set(1 * MILLI);
    acknowledge(message, SECOND);
    sampler.end(true);
    nanos.set(6 * MILLI);
    acknowledge(message, THIRD);

    SampledWrites writes = sampled(message);
    assertThat(writes.predicted(2, 4 * MILLI, 0.05, 20 * MILLI).worst().reads(1).mean())
        .isEqualTo(1);
    assertThat(writes.predicted(2, 5 * MILLI, 0.05, 20 * MILLI).worst().reads(1).mean()).isZero();
    assertThat(sampler.inFlight()).isZero();
    assertThat(failures.count()).isZero();
  }

  @Test
  void a_failed_write_is_no_sample() {
    Message<Mutation> message = write(1);
    sampler.begin(ReadLevel.OTHER);
    send(message);
    sampler.end(false);

    assertThat(estimates.all()).isEmpty();
    assertThat(sampler.inFlight()).isZero();
  }

  @Test
  void a_request_of_several_mutations_is_no_sample() {
    sampler.begin(ReadLevel.OTHER);
    send(write(1));
    send(write(2));
    sampler.end(true);

    assertThat(estimates.all()).isEmpty();
    assertThat(sampler.inFlight()).isZero();
  }

  /** A replica that is down would make every write of the last 10 s stay in memory. */
  @Test
  void what_is_written_is_not_held_until_the_last_acknowledgement() {
    WeakReference<PartitionUpdate> written = writeWithoutTheLastAcknowledgement();

    assertThat(sampler.inFlight()).isEqualTo(1);
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(written.get()).isNull();
            });
  }

  private WeakReference<PartitionUpdate> writeWithoutTheLastAcknowledgement() {
    Message<Mutation> message = write(1);
    run(message, ReadLevel.OTHER, SECOND);
    return new WeakReference<>(message.payload.getPartitionUpdates().iterator().next());
  }

  @Test
  void own_copies_beyond_the_bytes_held_are_late_for_good() throws Exception {
    applied.set(false);
    String large = "x".repeat(WriteSampler.MOST_HELD_BYTES / 4);
    int writes = 10;
    // the first ones hold their bytes for half a second
    CountDownLatch written = holdBackground();
    IntStream.range(0, writes).forEach(i -> run(write(i, large), ReadLevel.OTHER));
    written.countDown();

    // three fit, and each is asked for ten more times
    awaitQuestions(writes + 3 * 10);
    assertThat(estimates.leftOut()).isZero();
    assertThat(failures.count()).isZero();

    // and leave place for others
    run(write(writes, large), ReadLevel.OTHER);
    awaitQuestions(writes + 1 + 4 * 10);
  }

  /** No question is repeated before the latch is counted down, however long that takes. */
  private CountDownLatch holdBackground() {
    CountDownLatch latch = new CountDownLatch(1);
    Future<?> unused =
        background.submit(
            () -> {
              latch.await();
              return true;
            });
    return latch;
  }

  /** Waits until so many are asked, and for a second in which no others may come. */
  private void awaitQuestions(int count) throws Exception {
    await().atMost(40, TimeUnit.SECONDS).until(() -> questions.get() >= count);
    background.schedule(() -> {}, 1, TimeUnit.SECONDS).get();
    assertThat(questions.get()).isEqualTo(count);
  }

  @Test
  void messages_of_nobodys_request_are_left_alone() {
    assertThat(sampler.sending(write(1), SECOND)).isTrue();
    assertThat(sampler.inFlight()).isZero();
  }

  @Test
  void an_own_copy_that_is_late_arrives_when_it_is_seen() throws Exception {
    applied.set(false);
    Message<Mutation> message = write(1);
    CountDownLatch arrived = holdBackground();
    run(message, ReadLevel.OTHER, SECOND, THIRD);

    nanos.set(3 * MILLI);
    applied.set(true);
    arrived.countDown();
    // a repeated question is due within milliseconds, and the last one within half a second
    background.schedule(() -> {}, 1, TimeUnit.SECONDS).get();
    SampledWrites writes = sampled(message);
    assertThat(writes.predicted(2, 2 * MILLI, 0.05, 20 * MILLI).worst().reads(1).mean())
        .isEqualTo(1);
    assertThat(writes.predicted(2, 3 * MILLI, 0.05, 20 * MILLI).worst().reads(1).mean()).isZero();
  }

  @Test
  void an_own_copy_that_stays_away_is_late_for_good() throws Exception {
    applied.set(false);
    Message<Mutation> message = write(1);
    run(message, ReadLevel.OTHER, SECOND, THIRD);

    // ten questions take half a second
    awaitQuestions(11);
    SampledWrites writes = sampled(message);
    nanos.set(2_000 * MILLI);
    assertThat(writes.predicted(2, 1_000 * MILLI, 0.05, 2_000 * MILLI).worst().reads(1).mean())
        .isEqualTo(1);
  }

  /** Two of three were needed, and one other has acknowledged. */
  @Test
  void an_own_copy_that_the_level_needed_is_there_without_a_question() {
    applied.set(false);
    Message<Mutation> message = write(1);
    run(message, ReadLevel.QUORUM, SECOND);

    assertThat(questions).hasValue(0);
    SampledWrites writes = sampled(message);
    assertThat(writes.bounds(atOnce(), 0, 0.05, 20 * MILLI).reads(1).mean()).isEqualTo(1);
    acknowledge(message, THIRD);
    assertThat(writes.bounds(atOnce(), 0, 0.05, 20 * MILLI).reads(1).mean()).isZero();
  }

  @Test
  void an_own_copy_that_the_level_did_not_need_may_be_late() {
    applied.set(false);
    Message<Mutation> message = write(1);
    run(message, ReadLevel.LOCAL_QUORUM, SECOND, THIRD);

    assertThat(questions).hasValueGreaterThan(0);
    assertThat(sampled(message).bounds(atOnce(), 0, 0.05, 20 * MILLI).reads(1).mean()).isEqualTo(1);
  }

  /** Both others of this datacenter have acknowledged, so the level had its two without ours. */
  @Test
  void a_local_level_counts_the_replicas_of_its_datacenter_alone() {
    applied.set(false);
    replicas =
        ReplicaSet.of(
            List.of(SELF, SECOND, THIRD, address("127.0.1.1"), address("127.0.1.2")),
            node -> REPLICAS.contains(node));
    Message<Mutation> message = write(1);
    run(message, ReadLevel.LOCAL_QUORUM, SECOND, THIRD);

    assertThat(questions).hasValueGreaterThan(0);
  }

  @Test
  void acknowledgements_that_are_no_longer_tracked_prove_no_own_copy() {
    applied.set(false);
    Message<Mutation> message = write(1);
    sampler.begin(ReadLevel.QUORUM);
    send(message);
    nanos.set(WriteSampler.TRACKED.toNanos() + 1);
    sampler.forgetOld();
    acknowledge(message, SECOND);
    acknowledge(message, THIRD);
    sampler.end(true);

    assertThat(questions).hasValueGreaterThan(0);
  }

  @Test
  void writes_beyond_those_in_flight_are_counted() {
    TableMetadata table = table();
    for (int i = 0; i < WriteSampler.MOST_IN_FLIGHT + 10; i++) {
      run(write(i, "x", table), ReadLevel.OTHER);
    }
    assertThat(estimates.leftOut()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void acknowledgements_that_do_not_come_are_forgotten() {
    Message<Mutation> message = write(1);
    run(message, ReadLevel.OTHER);
    assertThat(sampler.inFlight()).isEqualTo(1);

    nanos.set(WriteSampler.TRACKED.toNanos() + 1);
    sampler.forgetOld();
    assertThat(sampler.inFlight()).isZero();
  }

  @Test
  void at_most_so_many_writes_are_in_flight() {
    TableMetadata table = table();
    for (int i = 0; i < WriteSampler.MOST_IN_FLIGHT + 10; i++) {
      run(write(i, "x", table), ReadLevel.OTHER);
    }
    assertThat(sampler.inFlight()).isEqualTo(WriteSampler.MOST_IN_FLIGHT);
  }

  @Test
  void a_message_goes_on_when_the_sampler_fails() {
    WriteSampler broken =
        new WriteSampler(
            estimates,
            failures,
            new WriteSampler.Place(
                SELF,
                nanos::get,
                (keyspace, token) -> {
                  throw new IllegalStateException("planted");
                },
                update -> () -> true,
                background));
    broken.begin(ReadLevel.OTHER);

    assertThat(broken.sending(write(1), SECOND)).isTrue();
    assertThat(failures.count()).isEqualTo(1);
  }

  private static SampledWrites.GapDraw atOnce() {
    return new SampledWrites.GapDraw(new FixedGap(0), new SplittableRandom(1));
  }

  private SampledWrites sampled(Message<Mutation> message) {
    var table = message.payload.getPartitionUpdates().iterator().next().metadata().id;
    return estimates.find(new SetKey(table, REPLICAS)).orElseThrow().writes();
  }

  /** A request at that level that returns after those acknowledgements. */
  private void run(Message<Mutation> message, ReadLevel level, InetAddressAndPort... from) {
    sampler.begin(level);
    send(message);
    for (InetAddressAndPort replica : from) {
      acknowledge(message, replica);
    }
    sampler.end(true);
  }

  private void send(Message<Mutation> message) {
    assertThat(sampler.sending(message, SECOND)).isTrue();
    assertThat(sampler.sending(message, THIRD)).isTrue();
  }

  private void acknowledge(Message<Mutation> message, InetAddressAndPort from) {
    Message<NoPayload> answer = message.emptyResponse().withFrom(from);
    assertThat(sampler.received(answer)).isTrue();
  }

  private static Message<Mutation> write(int key) {
    return write(key, "x");
  }

  private static Message<Mutation> write(int key, String value) {
    return write(key, value, table());
  }

  private static TableMetadata table() {
    return TableMetadata.builder("ks", "t")
        .partitioner(Murmur3Partitioner.instance)
        .addPartitionKeyColumn("k", Int32Type.instance)
        .addRegularColumn("v", UTF8Type.instance)
        .build();
  }

  private static Message<Mutation> write(int key, String value, TableMetadata table) {
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table, key).timestamp(1);
    update.row().add("v", value);
    return Message.out(Verb.MUTATION_REQ, new Mutation(update.build()));
  }

  private static InetAddressAndPort address(String name) {
    try {
      return InetAddressAndPort.getByName(name);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
