package io.counterpart.cassandra.handler;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;

/** A query handler that passes every request on as it is. */
public abstract class ForwardingHandler implements QueryHandler {
  /** Where requests go now. */
  protected abstract QueryHandler next();

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions options) {
    return next().parse(query, state, options);
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return next().process(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return next().processPrepared(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return next().processBatch(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState client, Map<String, ByteBuffer> payload) {
    return next().prepare(query, client, payload);
  }

  @Override
  public Prepared getPrepared(MD5Digest id) {
    return next().getPrepared(id);
  }
}
