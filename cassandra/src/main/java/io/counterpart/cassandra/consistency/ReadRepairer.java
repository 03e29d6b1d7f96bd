package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.cold.ColdNode;
import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.decide.ReadShape;
import java.util.concurrent.Executor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Repeats a share of the reads of one partition at ALL, after the client has its answer:
 * Cassandra's own read repair then mends replicas that reads do not ask, such as the write nodes of
 * a heterogeneous cluster. A replica that is down ends the repetition; it gets hints. Thread-safe.
 *
 * <p>Paper: MyCassandra §3.2, asynchronous read repair.
 */
final class ReadRepairer {
  private final Coordinator coordinator;
  private final Failures failures;
  private final Executor executor;

  /**
   * @param executor with a bounded queue; drops what does not fit
   */
  ReadRepairer(Coordinator coordinator, Failures failures, Executor executor) {
    this.coordinator = coordinator;
    this.failures = failures;
    this.executor = executor;
  }

  /**
   * Draws whether to repeat.
   *
   * @param result what the client gets
   * @param level at which it was read
   */
  void maybeRepeat(ClientRead read, ResultMessage result, ReadLevel level, HandledRead.Call call) {
    if (!(result instanceof ResultMessage.Rows) || !level.isAdjustable()) {
      return;
    }
    double chance =
        coordinator
            .policies()
            .of(read.tableName().keyspace(), read.tableName().table())
            .readRepairChance();
    if (chance > 0
        && coordinator.random().nextDouble() < chance
        && read.options().getPagingState() == null
        && read.shape() == ReadShape.ONE_PARTITION) {
      ClientRead all = read.copyAt(ConsistencyLevel.ALL);
      executor.execute(() -> failures.guard(() -> repeat(all, call)));
    }
  }

  private void repeat(ClientRead read, HandledRead.Call call) {
    if (ColdNode.isAnyCold()) {
      return; // it would refuse; and its rebuild repairs all
    }
    try {
      call.run(read.options(), RequestTime.forImmediateExecution());
    } catch (RequestExecutionException e) {
      // a replica does not answer
      return;
    }
    coordinator.tallies().repairs().add(read.tableName());
  }
}
