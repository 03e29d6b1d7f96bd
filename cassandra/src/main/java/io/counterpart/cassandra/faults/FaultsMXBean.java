package io.counterpart.cassandra.faults;

/** The faults of a node, over JMX. Each takes effect at once. Thread-safe. */
public interface FaultsMXBean {
  /** Name of the bean. */
  String NAME = "io.counterpart.cassandra:type=Faults";

  /** Mean delay of writes from other nodes, in ms; 0, the value at the start, for none. */
  double getLateWriteMillis();

  /**
   * Changes the mean delay.
   *
   * @throws IllegalArgumentException unless it is 0 to 10,000
   */
  void setLateWriteMillis(double meanMillis);

  /** Whether requests pass the consistency handler, as they do from the start. */
  boolean isConsistencyOn();

  /** Leads requests through the consistency handler, or past it. */
  void setConsistencyOn(boolean on);
}
