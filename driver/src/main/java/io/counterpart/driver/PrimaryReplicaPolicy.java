package io.counterpart.driver;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import io.counterpart.driver.CoordinatorOrder.Candidate;
import io.counterpart.driver.CoordinatorOrder.Choice;
import io.counterpart.driver.CoordinatorOrder.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A load balancing policy for the Java driver 4 that sends reads and writes to the row's primary
 * replica in the local datacenter. {@code docs/DRIVERS.md} shows its configuration.
 *
 * <p>Plan: the primary; the other local replicas ({@link CoordinatorOrder}); the other local nodes,
 * another one first each time; nodes of other datacenters only as the driver's own options of
 * failover allow. A request whose replicas are unknown gets the driver's own plan. Only a node that
 * does not answer is avoided, by the driver's own test: 10 requests in flight and fewer than two
 * answers within 200 ms. A primary that answers slowly stays the coordinator, because its snitch
 * knows how slow each replica is and forwards the read. {@code
 * advanced.load-balancing-policy.slow-replica-avoidance = false} switches the test off.
 *
 * <p>Thread-safe. Deviates: CRS speaks of the nearest replica for reads alone; a write goes to all
 * replicas anyway, so for a write only the coordinator is chosen, and the primary saves a hop.
 */
public final class PrimaryReplicaPolicy extends DefaultLoadBalancingPolicy {
  private static final Logger logger = LoggerFactory.getLogger(PrimaryReplicaPolicy.class);

  private final BiPredicate<Node, Session> stalled;
  private final UnknownReplicas unknownReplicas;

  /** For the driver, which constructs policies by name, one for each profile that differs. */
  public PrimaryReplicaPolicy(DriverContext context, String profileName) {
    this(context, profileName, null);
  }

  /**
   * @param stalled whether a node fails to answer a session; null for the driver's own test
   */
  PrimaryReplicaPolicy(
      DriverContext context, String profileName, @Nullable BiPredicate<Node, Session> stalled) {
    super(context, profileName);
    boolean avoidsStalled =
        profile.getBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, true);
    BiPredicate<Node, Session> ownTest =
        (node, session) -> avoidsStalled && isUnhealthy(node, session, nanoTime());
    this.stalled = stalled == null ? ownTest : stalled;
    this.unknownReplicas =
        new UnknownReplicas(message -> logger.warn("[{}] {}", logPrefix, message));
  }

  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    Set<Node> replicas = getReplicas(request, session);
    if (replicas.isEmpty() || request == null || session == null) {
      unknownReplicas.report(request, session, context.getMetadataManager().getMetadata());
      return super.newQueryPlan(request, session);
    }
    Set<Node> live = getLiveNodes().dc(getLocalDatacenter());
    Choice<Node> choice =
        CoordinatorOrder.choose(candidates(replicas, live, session), rowHash(request));
    logger.trace("[{}] {} first: {}", logPrefix, choice.coordinators(), choice.reason());
    Queue<Node> plan = new ConcurrentLinkedQueue<>(choice.coordinators());
    plan.addAll(others(live, choice.coordinators()));
    return maybeAddDcFailover(request, plan);
  }

  /** The token map's sets keep the order in which the ring was walked: the primary is first. */
  private List<Candidate<Node>> candidates(Set<Node> replicas, Set<Node> live, Session session) {
    List<Candidate<Node>> candidates = new ArrayList<>(replicas.size());
    for (Node replica : replicas) {
      if (Objects.equals(replica.getDatacenter(), getLocalDatacenter())) {
        candidates.add(new Candidate<>(replica, state(replica, live, session)));
      }
    }
    return candidates;
  }

  private State state(Node replica, Set<Node> live, Session session) {
    if (!live.contains(replica)) {
      return State.DOWN;
    }
    return stalled.test(replica, session) ? State.STALLED : State.ANSWERS;
  }

  private int rowHash(Request request) {
    if (request.getRoutingToken() != null) {
      return RowHash.of(request.getRoutingToken());
    }
    Optional<TokenMap> tokens = context.getMetadataManager().getMetadata().getTokenMap();
    return request.getRoutingKey() == null || tokens.isEmpty()
        ? 0
        : RowHash.of(tokens.get().newToken(request.getRoutingKey()));
  }

  private List<Node> others(Set<Node> live, List<Node> replicas) {
    List<Node> others = new ArrayList<>(live);
    others.removeAll(replicas);
    if (!others.isEmpty()) {
      int first = roundRobinAmount.getAndUpdate(INCREMENT) % others.size();
      Collections.rotate(others, -first);
    }
    return others;
  }

  /** Part of what the driver tells a node: visible in {@code system_views.clients}. */
  @Override
  public Map<String, ?> getStartupConfiguration() {
    Object options = super.getStartupConfiguration().get("DefaultLoadBalancingPolicy");
    return Map.of("PrimaryReplicaPolicy", options == null ? Map.of() : options);
  }
}
