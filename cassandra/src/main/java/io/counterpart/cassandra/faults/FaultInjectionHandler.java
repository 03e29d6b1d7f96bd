package io.counterpart.cassandra.faults;

import io.counterpart.cassandra.consistency.ConsistencyQueryHandler;
import io.counterpart.cassandra.handler.ForwardingHandler;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * A query handler for experiments, not for production: {@link ConsistencyQueryHandler} with a
 * switch, on a node whose writes can be made late. {@link FaultsMXBean} controls both. Switched
 * off, requests go to Cassandra's own handler; the sinks of messages stay and look at each
 * message's verb. Thread-safe.
 */
public final class FaultInjectionHandler extends ForwardingHandler {
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
  protected QueryHandler next() {
    return used;
  }
}
