package io.counterpart.lab.setup;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The source of an experiment's cluster: started for it, or run by somebody else. */
public interface ClusterSource {
  /** How many nodes there are; empty if as many are started as are asked for. */
  OptionalInt fixedNodes();

  /** Storage engines that its nodes can have. */
  Set<String> engines();

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
   * @param wanted where somebody else started the nodes: their number, even tokens, neither the
   *     consistency query handler nor engines
   */
  RunningLab open(WantedNodes wanted, Progress progress) throws IOException, InterruptedException;
}
