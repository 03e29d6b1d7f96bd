package io.counterpart.core.selection.simulator;

import java.util.List;

/**
 * A rule of replica selection at one coordinator. Endpoints are numbers of nodes, times are
 * simulated nanoseconds. A rule sees what a coordinator can see, and no more.
 */
interface ReplicaRule {

  /**
   * The node to read a row from.
   *
   * @param replicas in ring order, primary first
   * @param rowHash 0 and above
   */
  int choose(List<Integer> replicas, int rowHash);

  /** A read left for a node; not for the coordinator itself. */
  default void sent(int node, long now) {}

  /** A read was answered. */
  default void answered(ReadAnswer answer, long now) {}

  /** No answer came in time. */
  default void lost(int node, long waitedNanos, long now) {}

  /** What the coordinator's node does, at each tick before it: reads that queue, and have ended. */
  default void own(int queued, long ended, long now) {}

  /** Each tenth of a second; returns nodes to ping. */
  default List<Integer> tick(long now) {
    return List.of();
  }

  /** A node answered a ping. */
  default void lives(int node, long now) {}

  /**
   * What an answer tells.
   *
   * @param local whether the coordinator itself served it
   * @param nanos round trip
   * @param queue reads in the node when it answered
   * @param serviceNanos time that the node worked on it
   */
  record ReadAnswer(int node, boolean local, long nanos, int queue, long serviceNanos) {}
}
