package io.counterpart.lab.setup;

import io.counterpart.cluster.ObservedNode;
import io.counterpart.lab.measure.ConnectedNodes;

/**
 * The switches, over JMX, of nodes that run the plugin's query handler for experiments. It leads
 * requests through the consistency handler or past it, and can make writes late. Nodes that are
 * down keep what they had. Thread-safe.
 */
public final class HandlerSwitches {
  private static final String HANDLER = "io.counterpart.cassandra.faults.FaultInjectionHandler";
  private static final String BEAN = "io.counterpart.cassandra:type=Faults";

  private final ConnectedNodes nodes;

  /** Of nodes that were started with {@link #jvmOption}. */
  public HandlerSwitches(ConnectedNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The option of a node's JVM that installs the handler. From the start requests pass the
   * consistency handler, and no write is late.
   */
  public static String jvmOption() {
    return "-Dcassandra.custom_query_handler_class=" + HANDLER;
  }

  /** Leads requests on all nodes through the consistency handler or past it. */
  public void consistency(boolean on) {
    set("ConsistencyOn", on);
  }

  /** Makes writes from other nodes late on all of them, with a mean in ms; 0 for none. */
  public void lateWrites(double meanMillis) {
    set("LateWriteMillis", meanMillis);
  }

  private void set(String attribute, Object value) {
    for (ObservedNode node : nodes.nodes()) {
      nodes.jmx(node).setAttribute(BEAN, attribute, value);
    }
  }
}
