package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
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

  HandledWrite(WriteSampler sampler, SessionKeys sessionKeys, Failures failures) {
    this.sampler = sampler;
    this.sessionKeys = sessionKeys;
    this.failures = failures;
  }

  ResultMessage run(
      ModificationStatement write,
      QueryOptions options,
      ClientState client,
      Supplier<ResultMessage> call) {
    if (write.isVirtual()) {
      return call.get();
    }
    // before: a write that fails may be applied; after: reads measure from here
    List<ByteBuffer> keys = failures.guard(() -> keys(write, options, client), List.of());
    failures.guard(() -> remember(write, keys, client));
    boolean sampled = !write.isCounter() && !write.hasConditions();
    if (!sampled) {
      return call.get();
    }
    boolean acknowledged = false;
    failures.guard(sampler::begin);
    try {
      ResultMessage result = call.get();
      acknowledged = true;
      return result;
    } finally {
      boolean done = acknowledged;
      failures.guard(() -> sampler.end(done));
      failures.guard(() -> remember(write, keys, client));
    }
  }

  ResultMessage run(
      BatchStatement batch,
      BatchQueryOptions options,
      ClientState client,
      Supplier<ResultMessage> call) {
    failures.guard(
        () -> {
          for (int i = 0; i < batch.getStatements().size(); i++) {
            ModificationStatement write = batch.getStatements().get(i);
            remember(write, keys(write, options.forStatement(i), client), client);
          }
        });
    return call.get();
  }

  /** The partitions that it writes; none if it lacks values, which Cassandra refuses. */
  private static List<ByteBuffer> keys(
      ModificationStatement write, QueryOptions options, ClientState client) {
    return BoundValues.areComplete(write, options)
        ? write.buildPartitionKeyNames(options, client)
        : List.of();
  }

  private void remember(ModificationStatement write, List<ByteBuffer> keys, ClientState client) {
    for (ByteBuffer key : keys) {
      sessionKeys.written(write.metadata().id, key, client);
    }
  }
}
