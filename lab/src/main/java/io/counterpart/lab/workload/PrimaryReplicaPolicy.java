package io.counterpart.lab.workload;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to the row's primary in the local datacenter; if that is down to the other
 * replicas in any order, so that they share its requests, and to other live nodes last.
 * Thread-safe.
 */
public final class PrimaryReplicaPolicy extends BasicLoadBalancingPolicy {
  /** For the driver, which constructs policies by name. */
  public PrimaryReplicaPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    // the driver has replicas first, shuffled
    Queue<Node> shuffled = super.newQueryPlan(request, session);
    Queue<Node> plan = new ConcurrentLinkedQueue<>();
    // its token map keeps the order in which the ring was walked
    getReplicas(request, session).stream()
        .filter(replica -> replica.getDistance() == NodeDistance.LOCAL)
        .findFirst()
        .filter(shuffled::contains)
        .ifPresent(plan::add);
    for (Node node = shuffled.poll(); node != null; node = shuffled.poll()) {
      if (!plan.contains(node)) {
        plan.add(node);
      }
    }
    return plan;
  }
}
