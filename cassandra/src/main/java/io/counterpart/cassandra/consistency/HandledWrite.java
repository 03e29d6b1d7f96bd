package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.guard.Unwarned;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Runs clients' writes as they are, with a sampler around plain ones, and remembers which session
 * wrote which partition. Thread-safe.
 */
final class HandledWrite {
  private final WriteSampler sampler;
  private final SessionKeys sessionKeys;
  private final Failures failures;
  private final Function<ConsistencyLevel, ReadLevel> usedLevel;

  /**
   * Tells the sampler and the keys of the writes that it runs.
   *
   * @param usedLevel the level at which a write that asks for one is known to be made
   */
  HandledWrite(
      WriteSampler sampler,
      SessionKeys sessionKeys,
      Failures failures,
      Function<ConsistencyLevel, ReadLevel> usedLevel) {
    this.sampler = sampler;
    this.sessionKeys = sessionKeys;
    this.failures = failures;
    this.usedLevel = usedLevel;
  }

  ResultMessage run(
      ModificationStatement write,
      QueryOptions options,
      ClientState client,
      Supplier<ResultMessage> call) {
    if (write.isVirtual()) {
      return call.get();
    }
    List<SessionKeys.Access> written =
        failures.guard(() -> written(write, options, client), List.of());
    boolean sampled = !write.isCounter() && !write.hasConditions();
    return remembering(
        written, sampled ? () -> sampling(usedLevel.apply(options.getConsistency()), call) : call);
  }

  ResultMessage run(
      BatchStatement batch,
      BatchQueryOptions options,
      ClientState client,
      Supplier<ResultMessage> call) {
    List<SessionKeys.Access> written = new ArrayList<>();
    for (int i = 0; i < batch.getStatements().size(); i++) {
      ModificationStatement write = batch.getStatements().get(i);
      int at = i;
      written.addAll(
          failures.guard(() -> written(write, options.forStatement(at), client), List.of()));
    }
    return remembering(written, call);
  }

  private ResultMessage sampling(ReadLevel level, Supplier<ResultMessage> call) {
    boolean acknowledged = false;
    failures.guard(() -> sampler.begin(level));
    try {
      ResultMessage result = call.get();
      acknowledged = true;
      return result;
    } finally {
      boolean done = acknowledged;
      failures.guard(() -> sampler.end(done));
    }
  }

  /** Before: a write that fails may be applied. After: gaps are measured from there. */
  private ResultMessage remembering(
      List<SessionKeys.Access> written, Supplier<ResultMessage> call) {
    failures.guard(() -> written.forEach(sessionKeys::written));
    try {
      return call.get();
    } finally {
      failures.guard(() -> written.forEach(sessionKeys::written));
    }
  }

  /** The partitions that it writes; none if it lacks values, which Cassandra refuses. */
  private static List<SessionKeys.Access> written(
      ModificationStatement write, QueryOptions options, ClientState client) {
    if (write.isVirtual() || !BoundValues.areComplete(write, options)) {
      return List.of();
    }
    List<SessionKeys.Access> written = new ArrayList<>();
    // Cassandra asks for the keys too, and warns of too many
    for (ByteBuffer key : Unwarned.call(() -> write.buildPartitionKeyNames(options, client))) {
      written.add(SessionKeys.Access.of(write.metadata().id, key, client));
    }
    return written;
  }
}
