package io.counterpart.lab.setup;

import io.counterpart.cluster.layout.Placement;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;

/** The source of an experiment's cluster: started for it, or run by somebody else. */
public interface ClusterSource {
  /** How many nodes there are; empty if as many are started as are asked for. */
  OptionalInt fixedNodes();

  /**
   * The same with settings of cassandra.yaml that take the place of others.
   *
   * @throws RunRefusedException if there are any, and the nodes cannot be set
   */
  ClusterSource with(Map<String, Object> settings);

  /**
   * Looks whether a cluster can offer what is needed, and says what it found. Touches nothing.
   *
   * @throws RuntimeException if not, with a message for people
   */
  void require(ClusterNeeds needs, Progress progress);

  /**
   * A cluster that serves, for one stage of an experiment.
   *
   * @param nodes how many; where their number is fixed, that number
   * @param placement of their tokens; {@link Placement#EVEN} where somebody else placed them
   * @param decidesLevels whether they have the consistency query handler; never where somebody else
   *     started them
   */
  RunningLab open(int nodes, Placement placement, boolean decidesLevels, Progress progress)
      throws IOException, InterruptedException;
}
