package io.counterpart.cassandra.faults;

import io.counterpart.cassandra.consistency.ConsistencyQueryHandler;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MBeanWrapper;
import org.apache.cassandra.utils.MD5Digest;

/**
 * A query handler for experiments, not for production: {@link ConsistencyQueryHandler} with a
 * switch, on a node whose writes can be made late. {@link FaultsMXBean} controls both. Switched
 * off, requests go to Cassandra's own handler; the sinks of messages stay and look at each
 * message's verb. Thread-safe.
 */
public final class FaultInjectionHandler implements QueryHandler {
  private final QueryHandler stock = QueryProcessor.instance;
  private final QueryHandler consistency = new ConsistencyQueryHandler();
  private volatile QueryHandler used = consistency;

  /** For Cassandra, which makes it by name. */
  public FaultInjectionHandler() {
    MBeanWrapper.instance.registerMBean(new Faults(), FaultsMXBean.NAME);
  }

  private final class Faults implements FaultsMXBean {
    private final LateWrites lateWrites = new LateWrites();

    @Override
    public double getLateWriteMillis() {
      return lateWrites.meanMillis();
    }

    @Override
    public void setLateWriteMillis(double meanMillis) {
      lateWrites.delayBy(meanMillis);
    }

    @Override
    public boolean isConsistencyOn() {
      return used == consistency;
    }

    @Override
    public void setConsistencyOn(boolean on) {
      used = on ? consistency : stock;
    }
  }

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions options) {
    return used.parse(query, state, options);
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return used.process(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return used.processPrepared(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> payload,
      RequestTime time) {
    return used.processBatch(statement, state, options, payload, time);
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState client, Map<String, ByteBuffer> payload) {
    return used.prepare(query, client, payload);
  }

  @Override
  public QueryHandler.Prepared getPrepared(MD5Digest id) {
    return used.getPrepared(id);
  }
}
