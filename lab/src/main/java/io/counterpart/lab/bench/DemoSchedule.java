package io.counterpart.lab.bench;

import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.setup.StepSchedule.Step;
import io.counterpart.lab.tier.TierDemo;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of the demonstration with their time on two cores, most of which grows with the rows.
 * Labels are those of the steps that {@link Demo} and {@link TierDemo} report.
 */
public final class DemoSchedule {
  static final String WIPE = "wiping a node and starting it empty";
  private static final double REFERENCE_OPERATIONS = 55_000;

  private DemoSchedule() {}

  /** Steps of Cassandra's part. */
  public static List<Step> cassandra(DemoPlan plan) {
    double size = (plan.rows() + plan.updates()) / REFERENCE_OPERATIONS;
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(starting(plan.nodes()), 3.0 * plan.nodes()));
    steps.add(new Step("warm up " + plan.arms().get(0).name(), 15 * size));
    for (Arm arm : plan.arms()) {
      steps.add(new Step("load " + arm.name(), loadSeconds(arm) * size));
      steps.add(new Step("finish compactions of " + arm.name(), arm.needsPlugin() ? 14 : 3));
      steps.add(new Step("read " + arm.name(), 2));
    }
    for (Arm arm : plan.arms()) {
      steps.add(new Step("check every value of " + arm.name(), 4 * size));
    }
    steps.add(new Step(WIPE, 30));
    for (Arm arm : plan.arms()) {
      steps.add(new Step("recover " + arm.name(), 6));
      steps.add(new Step("check every value of " + arm.name(), 4 * size));
    }
    return steps;
  }

  private static double loadSeconds(Arm arm) {
    return arm.name().equals(Arm.LCS) ? 33 : 28;
  }

  /** The step that {@link io.counterpart.lab.setup.RunningLab} begins with. */
  private static String starting(int nodes) {
    return "starting %d Cassandra nodes".formatted(nodes);
  }
}
