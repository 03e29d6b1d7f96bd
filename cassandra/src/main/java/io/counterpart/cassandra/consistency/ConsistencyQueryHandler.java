package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.guard.Failures;
import io.counterpart.cassandra.consistency.policy.ConsistencySettings;
import io.counterpart.cassandra.failure.ExplainedFailure;
import io.counterpart.cassandra.handler.ForwardingHandler;
import io.counterpart.cassandra.placement.PlannedTokens;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * The query handler that adjusts the consistency level of reads: {@code
 * -Dcassandra.custom_query_handler_class=io.counterpart.cassandra.consistency.ConsistencyQueryHandler}.
 * Another custom handler goes on behind it, by the property {@value ConsistencySettings#DELEGATE}.
 *
 * <p>Cassandra makes it before there is a ring or messaging, so everything else starts at the first
 * request of a client: the driver's, which asks for the keyspaces. Thread-safe.
 *
 * <p>It also tells clients why copies failed whose tables are on an engine, and warns of keyspaces
 * that tokens are not planned for.
 *
 * <p>Paper: CRS, consistent replica selection; {@code docs/SELECTION.md} defines every symbol.
 */
public final class ConsistencyQueryHandler extends ForwardingHandler {
  private final QueryHandler next;
  private final Failures failures = new Failures();
  private final Startup startup;

  /**
   * For Cassandra, which makes it by name.
   *
   * @throws RuntimeException with a {@link ConfigurationException} as cause, which stops the start
   */
  public ConsistencyQueryHandler() {
    this(
        legal(() -> DelegateHandler.named(System.getProperty(ConsistencySettings.DELEGATE))),
        legal(() -> ConsistencySettings.from(System.getProperties())));
  }

  private ConsistencyQueryHandler(QueryHandler next, ConsistencySettings settings) {
    this.next = next;
    startup = new Startup(settings, failures);
  }

  ConsistencyQueryHandler(QueryHandler next, Supplier<NodeControl> control) {
    this.next = next;
    startup = new Startup(control, failures);
  }

  /** Cassandra shows the message of a cause that is a ConfigurationException, and no other one. */
  private static <T> T legal(Supplier<T> setting) {
    try {
      return setting.get();
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  protected QueryHandler next() {
    return next;
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return run(
        statement,
        new ClientCall(state, options, payload, time),
        (used, usedTime) -> next.process(statement, state, used, payload, usedTime));
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return run(
        statement,
        new ClientCall(state, options, payload, time),
        (used, usedTime) -> next.processPrepared(statement, state, used, payload, usedTime));
  }

  private record ClientCall(
      QueryState state, QueryOptions options, Map<String, ByteBuffer> payload, RequestTime time) {}

  private ResultMessage run(CQLStatement statement, ClientCall client, HandledRead.Call call) {
    return explained(statement, () -> adjusted(statement, client, call));
  }

  private ResultMessage explained(CQLStatement statement, Supplier<ResultMessage> call) {
    try {
      return call.get();
    } catch (RequestFailureException e) {
      throw failures.guard(() -> ExplainedFailure.of(e, statement), e);
    }
  }

  private ResultMessage adjusted(CQLStatement statement, ClientCall client, HandledRead.Call call) {
    Supplier<ResultMessage> asAsked = () -> call.run(client.options(), client.time());
    Optional<NodeControl> control = startup.control();
    if (statement instanceof AlterSchemaStatement change) {
      ResultMessage result = asAsked.get();
      failures.guard(() -> PlannedTokens.look(change)); // the change is done
      return result;
    }
    if (control.isEmpty()) {
      return asAsked.get();
    }
    if (statement instanceof SelectStatement select) {
      ClientRead read = new ClientRead(select, client.state(), client.options(), client.payload());
      return control.get().reads().run(read, client.time(), call);
    }
    ClientState session = client.state().getClientState();
    HandledWrite writes = control.get().writes();
    if (statement instanceof ModificationStatement write) {
      return writes.run(write, client.options(), session, asAsked);
    }
    if (statement instanceof BatchStatement batch) {
      // BEGIN BATCH … APPLY BATCH as one statement; others come to processBatch
      BatchQueryOptions options = BatchQueryOptions.withoutPerStatementVariables(client.options());
      return writes.run(batch, options, session, asAsked);
    }
    return asAsked.get();
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    Supplier<ResultMessage> call =
        () -> next.processBatch(statement, state, options, payload, time);
    return explained(
        statement,
        () ->
            startup
                .control()
                .map(
                    control ->
                        control.writes().run(statement, options, state.getClientState(), call))
                .orElseGet(call));
  }
}
