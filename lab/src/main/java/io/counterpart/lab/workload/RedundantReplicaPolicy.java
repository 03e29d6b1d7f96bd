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
 * Sends a request to the row's second replica in the local datacenter, so that a measurement meets
 * redundant copies alone; to any other if that is down. Thread-safe.
 */
public final class RedundantReplicaPolicy extends BasicLoadBalancingPolicy {
  /** For the driver, which constructs policies by name. */
  public RedundantReplicaPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  public Queue<Node> newQueryPlan(@Nullable Request request, @Nullable Session session) {
    Queue<Node> shuffled = super.newQueryPlan(request, session);
    Queue<Node> plan = new ConcurrentLinkedQueue<>();
    // the driver's token map keeps the order in which the ring was walked
    getReplicas(request, session).stream()
        .filter(replica -> replica.getDistance() == NodeDistance.LOCAL)
        .skip(1)
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
