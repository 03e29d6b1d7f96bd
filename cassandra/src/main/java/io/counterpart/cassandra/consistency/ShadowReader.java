package io.counterpart.cassandra.consistency;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.ShadowReads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Repeats some lowered reads at ALL, local ones at the client's level, after the client has its
 * answer. A different answer counts as a stale one, unless it was written in between, which this
 * coordinator may know; a write through another coordinator in between counts as stale, on the safe
 * side. Thread-safe.
 */
final class ShadowReader {
  private final Coordinator coordinator;
  private final Failures failures;
  private final Executor executor;

  /**
   * @param executor with a bounded queue; drops what does not fit
   */
  ShadowReader(Coordinator coordinator, Failures failures, Executor executor) {
    this.coordinator = coordinator;
    this.failures = failures;
    this.executor = executor;
  }

  void maybeRepeat(
      ClientRead read, ResultMessage result, LevelDecision decision, HandledRead.Call call) {
    if (decision.lowers()
        && result instanceof ResultMessage.Rows rows
        && ShadowReads.isChosen(coordinator.random().nextDouble())) {
      // a hash: many results may wait, and each may be as large as a page
      HashCode answer = hash(rows);
      long since = coordinator.nanoClock().getAsLong();
      ClientRead strong = read.copyAt(comparison(read, decision));
      executor.execute(() -> failures.guard(() -> repeat(strong, answer, since, call)));
    }
  }

  /**
   * ALL asks other datacenters too: one dead node there would leave local reads without evidence.
   */
  private static ConsistencyLevel comparison(ClientRead read, LevelDecision decision) {
    return decision.level().isLocal() ? read.options().getConsistency() : ConsistencyLevel.ALL;
  }

  private void repeat(ClientRead read, HashCode answer, long sinceNanos, HandledRead.Call call) {
    ResultMessage repeated;
    try {
      repeated = call.run(read.options(), RequestTime.forImmediateExecution());
    } catch (RequestExecutionException e) {
      // a replica does not answer: no evidence
      return;
    }
    if (!(repeated instanceof ResultMessage.Rows rows) || isWrittenSince(read, sinceNanos)) {
      return;
    }
    double epsilon =
        coordinator.policies().of(read.tableName().keyspace(), read.tableName().table()).epsilon();
    coordinator
        .tallies()
        .shadows()
        .of(read.tableName())
        .answered(!hash(rows).equals(answer), epsilon, coordinator.nanoClock().getAsLong());
  }

  private boolean isWrittenSince(ClientRead read, long nanos) {
    long age = coordinator.nanoClock().getAsLong() - nanos;
    return coordinator
            .sessionKeys()
            .sinceWrittenNanos(
                SessionKeys.Access.of(read.table().id, read.key(), read.state().getClientState()))
            .orElse(Long.MAX_VALUE)
        <= age;
  }

  /** Of 128 bits. Lengths keep apart what would be the same bytes in a row. */
  private static HashCode hash(ResultMessage.Rows rows) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    for (List<ByteBuffer> row : rows.result.rows) {
      hasher.putInt(row.size());
      for (ByteBuffer cell : row) {
        hasher.putInt(cell == null ? -1 : cell.remaining());
        if (cell != null) {
          hasher.putBytes(cell.duplicate());
        }
      }
    }
    return hasher.hash();
  }
}
