package io.counterpart.core.selection.simulator;

import java.util.List;
import java.util.SplittableRandom;

/** Any replica, as a driver that shuffles replicas does where the coordinator serves the read. */
final class RandomRule implements ReplicaRule {
  private final SplittableRandom random;

  RandomRule(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public int choose(List<Integer> replicas, int rowHash) {
    return replicas.get(random.nextInt(replicas.size()));
  }
}
