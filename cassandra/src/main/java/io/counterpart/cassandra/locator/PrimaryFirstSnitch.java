package io.counterpart.cassandra.locator;

import com.google.common.hash.Hashing;
import io.counterpart.cassandra.cold.ColdNode;
import io.counterpart.cassandra.cold.ColdTables;
import io.counterpart.cassandra.report.ReplicaReport;
import io.counterpart.cassandra.report.ReplicaReporter;
import io.counterpart.cassandra.vtable.CounterpartKeyspace;
import io.counterpart.core.selection.EngineOrder;
import io.counterpart.core.selection.Ranking;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snitch that sends a read to the primary replica of the local datacenter first, so that the page
 * caches of the replicas do not all hold the same rows and a decoupled table is read from its tree.
 * A primary that is slower than its redundant copies loses rows to them. Topology comes from
 * another snitch, named by the system property {@value #DELEGATE_PROPERTY}.
 *
 * <p>Order: replicas of the local datacenter by their {@link Ranking}, then the others in ring
 * order, then those that are cold ({@link ColdNode}) and would refuse the read. Reads of points and
 * of ranges have rankings of their own. In a heterogeneous cluster the class of a node's engine may
 * go before its position ({@value #ENGINES_PROPERTY}). Stock network snitches put the coordinator
 * and its rack first instead. Cassandra's failure detector removes dead replicas after the sort.
 *
 * <p>Needs {@code dynamic_snitch: false}: Cassandra's dynamic snitch would wrap this one and
 * override its order by scores that favour the coordinator. {@code docs/SNITCH.md} tells why, and
 * the limits.
 *
 * <p>Thread-safe when the delegate is. Paper: CRS, the NR algorithm; DEPART §2.2 and Exp#2, where
 * reads at level ONE reach the primary only because its latency is lower.
 */
public final class PrimaryFirstSnitch implements IEndpointSnitch, ReplicaReporter {
  /** Names the snitch that knows the topology: a class name, or one of Cassandra's simple names. */
  public static final String DELEGATE_PROPERTY = "counterpart.snitch.delegate";

  /** The difference of latencies that is not worth a read from disk, in whole milliseconds. */
  public static final String TIE_PROPERTY = "counterpart.snitch.tie_ms";

  /** The share of reads that may ask a second replica before the first one has answered. */
  public static final String HEDGE_PROPERTY = "counterpart.snitch.hedge_share";

  /** The order of engine classes, such as {@code memory,read,write}; none unless set. */
  public static final String ENGINES_PROPERTY = "counterpart.snitch.engines";

  private static final Logger logger = LoggerFactory.getLogger(PrimaryFirstSnitch.class);

  private final IEndpointSnitch delegate;
  private final Supplier<CoordinatorReads> reads;
  private final EngineOrder engines;
  private final Predicate<InetAddressAndPort> cold;

  /**
   * What this process knows of its peers: one for all snitches, since an operator may set another
   * while the node runs, and made at the first read, when there is messaging to listen to.
   */
  private static final class OfThisProcess {
    static final CoordinatorReads READS = watching();

    private static CoordinatorReads watching() {
      CoordinatorReads reads = new CoordinatorReads(SnitchProperties.rules(), System::nanoTime);
      ReadMessages.watch(reads);
      SelectionClock.start(new SelectionClock(reads), "The order of replicas was not renewed");
      CachedRing.watch(); // of a snitch that is set by JMX
      SnitchProperties.hedgeShare()
          .ifPresent(
              share ->
                  SelectionClock.start(HedgedReads.here(share, reads), "Hedges were not counted"));
      return reads;
    }
  }

  /**
   * For Cassandra, which constructs {@code endpoint_snitch} by name.
   *
   * @throws IllegalArgumentException with a {@link ConfigurationException} as cause, which
   *     Cassandra reports as the reason why it does not start
   */
  public PrimaryFirstSnitch() {
    this(
        DelegateSnitch.fromSystemProperty(),
        () -> OfThisProcess.READS,
        SnitchProperties.engineOrder(),
        ColdNode::isCold);
    // at the first read it would be too late to refuse a value
    SnitchProperties.check();
  }

  PrimaryFirstSnitch(IEndpointSnitch delegate, Supplier<CoordinatorReads> reads) {
    this(delegate, reads, EngineOrder.NONE, endpoint -> false);
  }

  PrimaryFirstSnitch(
      IEndpointSnitch delegate,
      Supplier<CoordinatorReads> reads,
      EngineOrder engines,
      Predicate<InetAddressAndPort> cold) {
    this.delegate = delegate;
    this.reads = reads;
    this.engines = engines;
    this.cold = cold;
  }

  @Override
  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
      InetAddressAndPort address, C replicas) {
    String local = delegate.getDatacenter(address);
    // every kind of collection comes in ring order
    Set<InetAddressAndPort> near = new LinkedHashSet<>();
    Set<InetAddressAndPort> last = new HashSet<>();
    for (Replica replica : replicas) {
      if (cold.test(replica.endpoint())) {
        last.add(replica.endpoint());
      }
      if (local.equals(delegate.getDatacenter(replica))) {
        near.add(replica.endpoint());
      }
    }
    Map<InetAddressAndPort, Integer> positions = new HashMap<>();
    ranking(replicas)
        .order(List.copyOf(near), rowHash(replicas), this::place)
        .forEach(endpoint -> positions.put(endpoint, positions.size()));
    // stable, so those of other datacenters keep ring order
    return replicas.sorted(
        Comparator.comparing((Replica replica) -> last.contains(replica.endpoint()))
            .thenComparingInt(
                replica -> positions.getOrDefault(replica.endpoint(), Integer.MAX_VALUE)));
  }

  private int place(InetAddressAndPort endpoint) {
    return engines.classes().isEmpty() ? 0 : engines.place(delegate.getRack(endpoint));
  }

  private Ranking<InetAddressAndPort> ranking(ReplicaCollection<?> replicas) {
    if (replicas instanceof EndpointsForToken) {
      return reads.get().ranking(ReadKind.POINT);
    }
    if (ExecutorLocals.propagate() instanceof ExecutorLocals request) {
      reads.get().plansRange(request);
    }
    return reads.get().ranking(ReadKind.RANGE);
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
    ColdTables.NODE.tell();
    CounterpartKeyspace.register();
    if (DatabaseDescriptor.isDaemonInitialized()) {
      CachedRing.watch(); // a node may coordinate writes long before its first read
    }
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
  public List<ReplicaReport> replicaReports() {
    return reads.get().reports();
  }

  @Override
  public boolean validate(Set<String> datacenters, Set<String> racks) {
    return delegate.validate(datacenters, racks);
  }
}
