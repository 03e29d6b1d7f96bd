package io.counterpart.lab.run;

import io.counterpart.cluster.Node;
import io.counterpart.lab.plan.Disturbance;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Pauses nodes by a schedule until closed; then all of them go on. A process that ends meanwhile
 * kills its nodes, paused or not.
 */
final class NodePauses implements AutoCloseable {
  private final List<Node> nodes;
  private final PauseSchedule schedule;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "node-pauses");
            made.setDaemon(true);
            return made;
          });
  private final Future<Integer> end;

  private NodePauses(List<Node> nodes, PauseSchedule schedule, boolean any) {
    this.nodes = List.copyOf(nodes);
    this.schedule = schedule;
    end = thread.submit(() -> any ? pauseUntilClosed() : 0);
  }

  /**
   * Begins.
   *
   * @param nodes those that may pause, at least one if any does
   */
  static NodePauses start(Disturbance disturbance, List<Node> nodes, long seed) {
    PauseSchedule schedule = new PauseSchedule(disturbance, nodes.size(), seed);
    return new NodePauses(nodes, schedule, disturbance.hasPauses());
  }

  /** How many there were. */
  private int pauseUntilClosed() throws InterruptedException {
    int pauses = 0;
    PauseSchedule.Pause pause = schedule.next();
    while (!closing.await(pause.afterMillis(), TimeUnit.MILLISECONDS)) {
      pause(nodes.get(pause.node()), pause.millis());
      pauses++;
      pause = schedule.next();
    }
    return pauses;
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
    thread.shutdown();
    try {
      end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while the last paused node goes on");
    } catch (ExecutionException e) {
      throw new IllegalStateException("pauses of nodes: " + e.getCause(), e);
    }
  }
}
