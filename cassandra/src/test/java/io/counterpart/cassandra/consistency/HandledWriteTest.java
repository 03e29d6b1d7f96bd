package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.Estimates;
import io.counterpart.cassandra.consistency.sampling.ReplicaSet;
import io.counterpart.cassandra.consistency.sampling.ReplicaSets;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import io.counterpart.core.staleness.decide.ConsistencyPolicy;
import io.counterpart.core.staleness.estimate.Absences;
import io.counterpart.core.staleness.estimate.ErrorBudget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of real statements, through the query handler, to a handler that executes nothing. */
class HandledWriteTest {
  private static final long MILLI = 1_000_000;

  private static TableMetadata table;
  private static TableMetadata counters;

  private final AtomicLong nanos = new AtomicLong();
  private final Failures failures = new Failures();
  private final SessionKeys sessionKeys = new SessionKeys(this::now);
  private final RecordingHandler next = new RecordingHandler();
  private final ClientState client = ClientState.forInternalCalls();
  private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
  private ConsistencyQueryHandler handler;
  private boolean broken;

  @BeforeAll
  static void prepare() {
    OfflineStatements.start();
    table = OfflineStatements.table("written", "k int PRIMARY KEY, v int");
    counters = OfflineStatements.table("counted", "k int PRIMARY KEY, v counter");
  }

  @BeforeEach
  void start() {
    Estimates estimates = new Estimates(ErrorBudget.HOURLY, this::now, new SplittableRandom(1));
    WriteSampler sampler =
        new WriteSampler(
            estimates,
            failures,
            new WriteSampler.Place(
                InetAddressAndPort.getLoopbackAddress(),
                this::now,
                (keyspace, token) -> ReplicaSet.of(List.of(), node -> true),
                update -> () -> true,
                background));
    Coordinator coordinator =
        new Coordinator(
            new Policies(ConsistencyPolicy.DEFAULT),
            estimates,
            new ReplicaSets(),
            sessionKeys,
            Coordinator.Tallies.none(),
            new Absences<>(Duration.ofSeconds(60), Duration.ofSeconds(60), 0),
            this::now,
            new Random(1));
    HandledRead reads =
        new HandledRead(coordinator, failures, Runnable::run, new LevelChoice(coordinator)::decide);
    HandledWrite writes = new HandledWrite(sampler, sessionKeys, failures, Levels::read);
    handler = new ConsistencyQueryHandler(next, () -> new NodeControl(reads, writes));
  }

  private long now() {
    if (broken) {
      throw new IllegalStateException("planted");
    }
    return nanos.get();
  }

  @AfterEach
  void stop() {
    background.shutdownNow();
  }

  @Test
  void a_session_that_wrote_a_key_is_remembered() {
    run("INSERT INTO written (k, v) VALUES (7, 1)");

    assertThat(wrote(7)).isTrue();
    assertThat(wrote(8)).isFalse();
    assertThat(next.calls()).isEqualTo(1);
  }

  @Test
  void a_batch_in_one_statement_counts_as_its_writes() {
    run(
        "BEGIN BATCH INSERT INTO written (k, v) VALUES (?, 1);"
            + " UPDATE written SET v = 2 WHERE k IN (?, ?); APPLY BATCH",
        1,
        2,
        3);

    assertThat(wrote(1)).isTrue();
    assertThat(wrote(2)).isTrue();
    assertThat(wrote(3)).isTrue();
    assertThat(wrote(4)).isFalse();
    assertThat(next.calls()).isEqualTo(1);
    assertThat(failures.count()).isZero();
  }

  @Test
  void a_batch_by_message_counts_as_its_writes() {
    BatchStatement batch =
        (BatchStatement)
            OfflineStatements.prepared(
                "BEGIN BATCH INSERT INTO written (k, v) VALUES (1, 1);"
                    + " INSERT INTO written (k, v) VALUES (2, 1); APPLY BATCH");
    QueryOptions options = QueryOptions.forInternalCalls(ConsistencyLevel.QUORUM, List.of());

    handler.processBatch(
        batch,
        new QueryState(client),
        BatchQueryOptions.withoutPerStatementVariables(options),
        null,
        RequestTime.forImmediateExecution());

    assertThat(wrote(1)).isTrue();
    assertThat(wrote(2)).isTrue();
    assertThat(wrote(3)).isFalse();
    assertThat(next.calls()).isEqualTo(1);
    assertThat(next.given()).isSameAs(options);
    assertThat(failures.count()).isZero();
  }

  @Test
  void a_write_of_a_counter_counts() {
    run("UPDATE counted SET v = v + 1 WHERE k = 7");

    assertThat(sessionKeys.mayHaveWritten(access(counters, 7))).isTrue();
    assertThat(next.calls()).isEqualTo(1);
  }

  @Test
  void writes_keep_their_levels() {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      run(level, "INSERT INTO written (k, v) VALUES (7, 1)");

      assertThat(next.given()).extracting(QueryOptions::getConsistency).isEqualTo(level);
    }
    assertThat(next.calls()).isEqualTo(ConsistencyLevel.values().length);
  }

  @Test
  void a_failure_of_the_plugin_leaves_a_write_as_it_is() {
    broken = true;

    run(ConsistencyLevel.QUORUM, "INSERT INTO written (k, v) VALUES (7, 1)");
    run("BEGIN BATCH INSERT INTO written (k, v) VALUES (6, 1); APPLY BATCH");

    assertThat(next.calls()).isEqualTo(2);
    assertThat(failures.count()).isPositive();
  }

  /** A longer gap would make reads look later than they are, and so fresher. */
  @Test
  void gaps_begin_at_the_return_of_conditional_writes_and_batches_too() {
    next.whileRunning(() -> nanos.addAndGet(100 * MILLI));

    run("INSERT INTO written (k, v) VALUES (5, 1) IF NOT EXISTS");
    run("BEGIN BATCH INSERT INTO written (k, v) VALUES (6, 1); APPLY BATCH");
    assertThat(since(6)).hasValue(0);
    assertThat(since(5)).hasValue(100 * MILLI);
  }

  @Test
  void a_write_that_fails_may_be_applied_and_is_not_repeated() {
    next.failWith(new WriteTimeoutException(WriteType.SIMPLE, ConsistencyLevel.ONE, 0, 1));

    assertThatThrownBy(() -> run("INSERT INTO written (k, v) VALUES (9, 1)"))
        .isInstanceOf(WriteTimeoutException.class);

    assertThat(wrote(9)).isTrue();
    assertThat(next.calls()).isEqualTo(1);
  }

  @Test
  void a_statement_without_its_values_is_left_to_cassandra() {
    run("INSERT INTO written (k, v) VALUES (?, ?)", 1);

    assertThat(wrote(1)).isFalse();
    assertThat(failures.count()).isZero();
    assertThat(next.calls()).isEqualTo(1);
  }

  private void run(String cql, Integer... values) {
    run(ConsistencyLevel.ONE, cql, values);
  }

  private void run(ConsistencyLevel level, String cql, Integer... values) {
    List<ByteBuffer> bound = List.of(values).stream().map(ByteBufferUtil::bytes).toList();
    handler.process(
        OfflineStatements.prepared(cql),
        new QueryState(client),
        QueryOptions.forInternalCalls(level, bound),
        null,
        RequestTime.forImmediateExecution());
  }

  private boolean wrote(int key) {
    return sessionKeys.mayHaveWritten(access(table, key));
  }

  private OptionalLong since(int key) {
    return sessionKeys.sinceWrittenNanos(access(table, key));
  }

  private SessionKeys.Access access(TableMetadata of, int key) {
    return SessionKeys.Access.of(of.id, ByteBufferUtil.bytes(key), client);
  }
}
