package io.counterpart.cassandra.locator;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.net.MessagingService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snitch that sends a read to the primary replica of the local datacenter first, so that the page
 * caches of the replicas do not all hold the same rows and a decoupled table is read from its tree.
 * Topology comes from another snitch, named by the system property {@value #DELEGATE_PROPERTY}.
 *
 * <p>Order: replicas of the local datacenter, then others. Within the local datacenter ring order,
 * in which the first replica is the primary, but replicas that are slow ({@link ReplicaLatencies})
 * after those that are not. Stock network snitches put the coordinator and its rack first instead.
 * A replica that is down is filtered out after the sort by Cassandra's failure detector.
 *
 * <p>Needs {@code dynamic_snitch: false}: Cassandra's dynamic snitch would wrap this one and
 * override its order by scores that favour the coordinator. {@code docs/SNITCH.md} tells why, and
 * the limits.
 *
 * <p>Thread-safe when the delegate is. Paper: DEPART §2.2 and Exp#2, where reads at level ONE reach
 * the primary only because its latency is lower.
 */
public final class PrimaryFirstSnitch implements IEndpointSnitch {
  /** Names the snitch that knows the topology: a class name, or one of Cassandra's simple names. */
  public static final String DELEGATE_PROPERTY = "counterpart.snitch.delegate";

  private static final Logger logger = LoggerFactory.getLogger(PrimaryFirstSnitch.class);
  private static final Duration SLACK = Duration.ofMillis(20);

  private final IEndpointSnitch delegate;
  private final Supplier<ReplicaLatencies> latencies;

  /**
   * What this process knows of its peers: one for all snitches, since an operator may set another
   * while the node runs, and made at the first read, when there is messaging to listen to.
   */
  private static final class OfThisProcess {
    static final ReplicaLatencies LATENCIES = listening();

    private static ReplicaLatencies listening() {
      ReplicaLatencies latencies =
          new ReplicaLatencies(
              1 + DatabaseDescriptor.getDynamicBadnessThreshold(), SLACK, System::nanoTime);
      MessagingService.instance().latencySubscribers.subscribe(latencies);
      return latencies;
    }
  }

  /**
   * For Cassandra, which constructs {@code endpoint_snitch} by name.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause, which
   *     Cassandra reports as the reason why it does not start
   */
  public PrimaryFirstSnitch() {
    this(DelegateSnitch.fromSystemProperty(), () -> OfThisProcess.LATENCIES);
  }

  PrimaryFirstSnitch(IEndpointSnitch delegate, Supplier<ReplicaLatencies> latencies) {
    this.delegate = delegate;
    this.latencies = latencies;
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    String local = delegate.getDatacenter(address);
    Set<InetAddressAndPort> near = new HashSet<>();
    for (Replica replica : replicas) {
      if (local.equals(delegate.getDatacenter(replica))) {
        near.add(replica.endpoint());
      }
    }
    Set<InetAddressAndPort> slow = latencies.get().slowAmong(near);
    // stable, so equal replicas keep the ring order in which every kind of collection comes
    return replicas.sorted(
        (left, right) ->
            Integer.compare(
                distance(left.endpoint(), near, slow), distance(right.endpoint(), near, slow)));
  }

  private static int distance(
      InetAddressAndPort endpoint, Set<InetAddressAndPort> near, Set<InetAddressAndPort> slow) {
    return !near.contains(endpoint) ? 2 : slow.contains(endpoint) ? 1 : 0;
  }

  /** By datacenter alone: two replicas do not tell which of them is the primary. */
  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica left, Replica right) {
    String local = delegate.getDatacenter(target);
    boolean leftLocal = local.equals(delegate.getDatacenter(left));
    boolean rightLocal = local.equals(delegate.getDatacenter(right));
    return Boolean.compare(rightLocal, leftLocal);
  }

  @Override
  public void gossiperStarting() {
    delegate.gossiperStarting();
    if (DatabaseDescriptor.isDynamicEndpointSnitch()) {
      logger.warn(
          "dynamic_snitch is true: it overrides the primary-first order as soon as a remote read"
              + " takes a millisecond; set dynamic_snitch: false, this snitch avoids slow replicas"
              + " itself");
    }
  }

  @Override
  public String getRack(InetAddressAndPort endpoint) {
    return delegate.getRack(endpoint);
  }

  @Override
  public String getLocalRack() {
    return delegate.getLocalRack();
  }

  @Override
  public String getDatacenter(InetAddressAndPort endpoint) {
    return delegate.getDatacenter(endpoint);
  }

  @Override
  public String getLocalDatacenter() {
    return delegate.getLocalDatacenter();
  }

  @Override
  public String getDatacenter(Replica replica) {
    return delegate.getDatacenter(replica);
  }

  /**
   * Neighbouring ranges are read as one only if that leaves each with the replica that it would
   * have been read from. Replicas that several ranges share are redundant copies of most of them,
   * and a stock snitch would send nearly every range read to such a one.
   */
  @Override
  public boolean isWorthMergingForRangeQuery(
      ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
    return sameFirst(merged, left)
        && sameFirst(merged, right)
        && delegate.isWorthMergingForRangeQuery(merged, left, right);
  }

  private static boolean sameFirst(ReplicaCollection<?> merged, ReplicaCollection<?> single) {
    return !merged.isEmpty()
        && !single.isEmpty()
        && merged.get(0).endpoint().equals(single.get(0).endpoint());
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return delegate.validate(datacenters, racks);
  }
}
