package io.counterpart.cassandra.locator;

import com.google.common.hash.Hashing;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForToken;
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
 * <p>Order: replicas of the local datacenter, then the others. Within the local datacenter: the
 * primary, which is the first in ring order, then the redundant copies, rotated by the row's token,
 * so that they share the rows of a primary that is down. A slow replica ({@link ReplicaLatencies})
 * goes last for a share of its rows, always the same rows first. Stock network snitches put the
 * coordinator and its rack first instead. Cassandra's failure detector removes dead replicas after
 * the sort.
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
    // every kind of collection comes in ring order
    Set<InetAddressAndPort> near = new LinkedHashSet<>();
    for (Replica replica : replicas) {
      if (local.equals(delegate.getDatacenter(replica))) {
        near.add(replica.endpoint());
      }
    }
    int rowHash = rowHash(replicas);
    Map<InetAddressAndPort, Integer> positions = positions(near, rowHash);
    double rowShare = (double) rowHash / Integer.MAX_VALUE;
    latencies
        .get()
        .slowAmong(near)
        .forEach(
            (slow, share) -> {
              if (rowShare <= share) {
                positions.merge(slow, near.size(), Integer::sum);
              }
            });
    // stable, so those of other datacenters keep ring order
    return replicas.sorted(
        Comparator.comparingInt(
            replica -> positions.getOrDefault(replica.endpoint(), Integer.MAX_VALUE)));
  }

  /** The primary is at 0; always the same neighbour after it would get all reads of a dead node. */
  private static Map<InetAddressAndPort, Integer> positions(
      Set<InetAddressAndPort> near, int rowHash) {
    Map<InetAddressAndPort, Integer> positions = new HashMap<>();
    int redundant = near.size() - 1;
    for (InetAddressAndPort endpoint : near) {
      int inRing = positions.size();
      int turned = inRing == 0 ? 0 : 1 + (inRing - 1 + rowHash % redundant) % redundant;
      positions.put(endpoint, turned);
    }
    return positions;
  }

  /** Of a partition's token, or of a range's end, for reads of ranges; not negative. */
  private static int rowHash(ReplicaCollection<?> replicas) {
    if (replicas.isEmpty()) {
      return 0;
    }
    Token token =
        replicas instanceof EndpointsForToken point ? point.token() : replicas.get(0).range().right;
    // tokens of ranges may differ in their upper bits alone
    return Hashing.murmur3_32_fixed().hashInt(token.hashCode()).asInt() >>> 1;
  }

  /** By datacenter alone: two replicas do not tell which of them is the primary. */
  @Override
  public int compareEndpoints(InetAddressAndPort target, Replica left, Replica right) {
    String local = delegate.getDatacenter(target);
    boolean leftLocal = local.equals(delegate.getDatacenter(left));
    boolean rightLocal = local.equals(delegate.getDatacenter(right));
    return Boolean.compare(rightLocal, leftLocal);
  }

  /**
   * Called when the node has its own virtual keyspaces and clients cannot connect yet: they read
   * the keyspaces when they do.
   */
  @Override
  public void gossiperStarting() {
    delegate.gossiperStarting();
    CounterpartKeyspace.register();
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
