package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.lab.plan.Disturbance;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pauses nodes by a schedule until closed; then all of them go on. A process that ends meanwhile
 * kills its nodes, paused or not.
 */
final class NodePauses implements AutoCloseable {
  private final List<Node> nodes;
  private final PauseSchedule schedule;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final FutureTask<@Nullable Void> pauses =
      new FutureTask<>(
          () -> {
            pauseUntilClosed();
            return null;
          });

  private NodePauses(List<Node> nodes, PauseSchedule schedule) {
    this.nodes = List.copyOf(nodes);
    this.schedule = schedule;
  }

  /**
   * Begins.
   *
   * @param nodes those that may pause, at least one
   */
  static NodePauses start(Disturbance disturbance, List<Node> nodes, long seed) {
    NodePauses begun = new NodePauses(nodes, new PauseSchedule(disturbance, nodes.size(), seed));
    Thread thread = new Thread(begun.pauses, "node-pauses");
    thread.setDaemon(true);
    thread.start();
    return begun;
  }

  private void pauseUntilClosed() throws InterruptedException {
    PauseSchedule.Pause pause = schedule.next();
    while (!closing.await(pause.afterMillis(), TimeUnit.MILLISECONDS)) {
      pause(nodes.get(pause.node()), pause.millis());
      pause = schedule.next();
    }
  }

  private void pause(Node node, long millis) throws InterruptedException {
    try {
      node.pause();
      closing.await(millis, TimeUnit.MILLISECONDS);
    } finally {
      node.resumeUnseen();
    }
  }

  /**
   * Returns when no node is paused any more.
   *
   * @throws IllegalStateException if a node could not be paused, or did not go on
   */
  @Override
  public void close() {
    // no interrupt: it would keep the signal from the node
    closing.countDown();
    try {
      pauses.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while the last paused node goes on");
    } catch (ExecutionException e) {
      throw new IllegalStateException("pauses of nodes: " + e.getCause(), e);
    }
  }
}
