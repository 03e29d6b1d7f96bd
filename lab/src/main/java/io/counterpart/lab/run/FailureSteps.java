package io.counterpart.lab.run;

import com.datastax.oss.driver.api.core.CqlSession;
import io.counterpart.cluster.Node;
import io.counterpart.lab.failure.Outage;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.setup.RunningLab;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a stage in which a node fails. No regime is in force while a node stops or
 * starts: its limits would slow that down, and the node's group would keep them.
 */
final class FailureSteps {
  private static final Duration CLIENT_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  private final RunningLab running;
  private final RegimeControl regimes;
  private final Progress progress;
  private final RecoverySteps recoveries;
  private final RepairSteps repairs;
  private @Nullable Outage outage;

  FailureSteps(StageContext context) {
    running = context.running();
    regimes = context.regimes();
    progress = context.progress();
    recoveries = new RecoverySteps(context);
    repairs = new RepairSteps(context);
  }

  void take(Step step) throws InterruptedException, TimeoutException {
    if (step instanceof Step.Recover recover) {
      recoveries.take(recover);
    } else if (step instanceof Step.ReadsUnderRepair reads) {
      repairs.take(reads);
    } else if (step instanceof Step.Down down) {
      crash(node(down.node()));
    } else if (step instanceof Step.Up up) {
      bringBack(node(up.node()));
    }
  }

  private void crash(Node node) throws TimeoutException {
    progress.step("%s goes down".formatted(node), 0);
    regimes.lift();
    Outage begun = Outage.of(running.nodes(), node);
    begun.awaitSeen();
    awaitClient(node, false);
    outage = begun;
  }

  private void bringBack(Node node) throws TimeoutException {
    Outage ending = outage;
    if (ending == null) {
      throw new IllegalStateException(node + ": must be down before it can come up");
    }
    progress.step("%s comes up".formatted(node), 0);
    regimes.lift();
    ending.withholdHints();
    ending.end();
    regimes.joinAgain(node);
    awaitClient(node, true);
    outage = null;
  }

  private Node node(int index) {
    return running.nodes().all().stream()
        .filter(node -> node.index() == index)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "node %d: the stage has nodes 1 to %d"
                        .formatted(index, running.nodes().all().size())));
  }

  /** Until the client sends to the node (no more), what it sends is not what a phase is about. */
  private void awaitClient(Node node, boolean connected) throws TimeoutException {
    long deadline = System.nanoTime() + CLIENT_LIMIT.toNanos();
    while (isConnected(running.session(), node) != connected) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "the client is %s %s after %s"
                .formatted(
                    connected ? "not connected to" : "still connected to", node, CLIENT_LIMIT));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private static boolean isConnected(CqlSession session, Node node) {
    return session.getMetadata().getNodes().values().stream()
        .filter(
            seen ->
                seen.getEndPoint().resolve() instanceof InetSocketAddress at
                    && at.getAddress().getHostAddress().equals(node.address()))
        .anyMatch(seen -> seen.getOpenConnections() > 0);
  }
}
