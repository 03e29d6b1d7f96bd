package io.counterpart.cassandra.consistency.sampling;

import io.counterpart.core.staleness.estimate.WriteSample;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The sizes of replica sets that are estimated. Stateless. */
public final class EstimatedReplicas {
  private EstimatedReplicas() {}

  /**
   * With one replica there is nothing to decide; of very many the sets of late ones are too many.
   */
  public static boolean areSupported(List<InetAddressAndPort> replicas) {
    return replicas.size() > 1 && replicas.size() <= WriteSample.MOST_REPLICAS;
  }
}
