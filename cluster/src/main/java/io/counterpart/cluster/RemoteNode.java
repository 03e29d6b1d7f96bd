package io.counterpart.cluster;

import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.cluster.jmx.NodeJmx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A node that somebody else runs, known by its JMX alone. Immutable.
 *
 * @param index 1-based position among the nodes that are looked at together
 * @param address that clients use
 * @param datacenter its datacenter's name
 * @param endpoint where its JMX is reached
 */
public record RemoteNode(int index, String address, String datacenter, JmxEndpoint endpoint)
    implements ObservedNode {
  private static final String OPERATING_SYSTEM = "java.lang:type=OperatingSystem";
  private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(10);

  @Override
  public NodeJmx jmx() {
    try {
      return endpoint.connect(CONNECTION_LIMIT);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no JMX connection to node %s on %s: %s".formatted(address, endpoint, e.getMessage()), e);
    }
  }

  @Override
  public Duration cpuTime(NodeJmx connection) {
    Object nanos = connection.attribute(OPERATING_SYSTEM, "ProcessCpuTime");
    return Duration.ofNanos(((Number) nanos).longValue());
  }

  @Override
  public String toString() {
    return "node " + address;
  }
}
