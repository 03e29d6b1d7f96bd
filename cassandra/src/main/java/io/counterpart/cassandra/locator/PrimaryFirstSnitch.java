package io.counterpart.cassandra.locator;

import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * A snitch that sends a read to the primary replica of the local datacenter first, so that the page
 * caches of the replicas do not all hold the same rows and a decoupled table is read from its tree.
 * Topology comes from another snitch, named by the system property {@value #DELEGATE_PROPERTY}.
 *
 * <p>Order: replicas of the local datacenter before others; within each, ring order, in which the
 * first replica of a datacenter is its primary. Stock network snitches put the coordinator and its
 * rack first instead.
 *
 * <p>Cassandra wraps this in its {@code DynamicEndpointSnitch}, which keeps the order until, at any
 * position, a replica's score exceeds the score that belongs there by the factor {@code 1 +
 * dynamic_snitch_badness_threshold} (default 2); it then orders by score, and ties stay in ring
 * order. A primary that is down is filtered out after the sort by the failure detector. A threshold
 * of 0 orders by score alone and so gives up the preference. {@code docs/SNITCH.md} has the limits.
 *
 * <p>Thread-safe when the delegate is. Paper: DEPART §2.2 and Exp#2, where reads at level ONE reach
 * the primary only because its latency is lower.
 */
public final class PrimaryFirstSnitch implements IEndpointSnitch {
  /** Names the snitch that knows the topology: a class name, or one of Cassandra's simple names. */
  public static final String DELEGATE_PROPERTY = "counterpart.snitch.delegate";

  private final IEndpointSnitch delegate;

  /**
   * For Cassandra, which constructs {@code endpoint_snitch} by name.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause, which
   *     Cassandra reports as the reason why it does not start
   */
  public PrimaryFirstSnitch() {
    this(DelegateSnitch.fromSystemProperty());
  }

  PrimaryFirstSnitch(IEndpointSnitch delegate) {
    this.delegate = delegate;
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    // stable, so equal replicas keep the ring order in which every kind of collection comes
    return replicas.sorted((left, right) -> compareEndpoints(address, left, right));
  }

  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica left, Replica right) {
    String local = delegate.getDatacenter(target);
    boolean leftLocal = local.equals(delegate.getDatacenter(left));
    boolean rightLocal = local.equals(delegate.getDatacenter(right));
    return Boolean.compare(rightLocal, leftLocal);
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

  @Override
  public void gossiperStarting() {
    delegate.gossiperStarting();
  }

  @Override
  public boolean isWorthMergingForRangeQuery(
      ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
    return delegate.isWorthMergingForRangeQuery(merged, left, right);
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return delegate.validate(datacenters, racks);
  }
}
