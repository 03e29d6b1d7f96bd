package io.counterpart.cassandra.consistency;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.jspecify.annotations.Nullable;

/** Another custom handler, which remembers what it was given. */
public final class RecordingHandler implements QueryHandler {
  private final QueryOptions options =
      QueryOptions.forInternalCalls(ConsistencyLevel.ONE, List.of());
  private @Nullable QueryOptions given;
  private @Nullable RuntimeException failure;
  private Runnable work = () -> {};
  private int calls;

  QueryOptions options() {
    return options;
  }

  int calls() {
    return calls;
  }

  /** The options of the last request. */
  @Nullable QueryOptions given() {
    return given;
  }

  /** What happens while a request runs. */
  void whileRunning(Runnable meanwhile) {
    work = meanwhile;
  }

  void failWith(RuntimeException planted) {
    failure = planted;
  }

  /** The options with which a request at ONE arrives here through another handler. */
  @Nullable QueryOptions throughProcess(QueryHandler handler) {
    handler.process(null, null, options, null, RequestTime.forImmediateExecution());
    return given;
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions used,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    calls++;
    given = used;
    work.run();
    if (failure != null) {
      throw failure;
    }
    return new ResultMessage.Void();
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions used,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return process(statement, state, used, payload, time);
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions used,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return process(statement, state, used.forStatement(0), payload, time);
  }

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions used) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState client, Map<String, ByteBuffer> payload) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Prepared getPrepared(MD5Digest id) {
    throw new UnsupportedOperationException();
  }
}
