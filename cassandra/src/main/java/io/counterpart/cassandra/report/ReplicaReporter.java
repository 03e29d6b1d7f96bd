package io.counterpart.cassandra.report;

import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;

/** A snitch that can report on the nodes that this one reads from. */
public interface ReplicaReporter {

  /** The state at this moment. Thread-safe. */
  List<ReplicaReport> replicaReports();

  /** Reports of the snitch in use; none where it is another one. */
  static List<ReplicaReport> reports() {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    if (snitch instanceof DynamicEndpointSnitch dynamic) {
      snitch = dynamic.subsnitch;
    }
    return snitch instanceof ReplicaReporter reporter ? reporter.replicaReports() : List.of();
  }
}
