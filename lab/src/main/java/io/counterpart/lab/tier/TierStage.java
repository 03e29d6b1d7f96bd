package io.counterpart.lab.tier;

import io.counterpart.lab.tier.arm.TierArm;
import java.io.IOException;
import java.util.List;

/** A part of an experiment with its own servers. Immutable. */
public interface TierStage {
  /** Stable name, unique in the experiment. */
  String name();

  /** Names of its arms, in order; at least one. */
  List<String> armNames();

  /** The same stage with some of its arms, at least one. */
  TierStage withArms(List<String> names);

  /** Blocks that it measures. */
  int blocks();

  /**
   * Runs the stage; leaves no process and no file behind.
   *
   * @throws IOException if a tier fails
   */
  void run(StageContext context) throws IOException;

  /** Names of arms, in order. */
  static List<String> names(List<TierArm> arms) {
    return arms.stream().map(TierArm::name).toList();
  }

  /** The arms with these names. */
  static List<TierArm> chosen(List<TierArm> arms, List<String> names) {
    return arms.stream().filter(arm -> names.contains(arm.name())).toList();
  }
}
