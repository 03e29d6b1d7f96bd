package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to the row's replicas of the local datacenter in ring order, the primary first,
 * and to other live nodes after them. Thread-safe.
 */
public final class PrimaryReplicaPolicy extends BasicLoadBalancingPolicy {
  /** For the driver, which constructs policies by name. */
  public PrimaryReplicaPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    Queue<Node> unordered = super.newQueryPlan(request, session);
    Set<Node> live = new LinkedHashSet<>();
    for (Node node = unordered.poll(); node != null; node = unordered.poll()) {
      live.add(node);
    }
    Queue<Node> plan = new ConcurrentLinkedQueue<>();
    // the driver's token map keeps the order in which the ring was walked
    for (Node replica : getReplicas(request, session)) {
      if (live.remove(replica)) {
        plan.add(replica);
      }
    }
    plan.addAll(live);
    return plan;
  }
}
