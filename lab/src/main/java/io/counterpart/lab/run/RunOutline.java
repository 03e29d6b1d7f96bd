package io.counterpart.lab.run;

import io.counterpart.lab.plan.Experiment;
import io.counterpart.lab.result.RingSummary;
import io.counterpart.lab.result.SampledMeasure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run when it begins.
 *
 * @param name of the experiment
 * @param paper where the paper has it
 * @param title what it shows
 * @param arms their names, in order
 * @param blocks that a whole run measures
 * @param measures that its samples have
 * @param ring of every table: all are replicated alike; null where there are no tables
 */
public record RunOutline(
    String name,
    String paper,
    String title,
    List<String> arms,
    int blocks,
    List<SampledMeasure> measures,
    @Nullable RingSummary ring) {
  /** Copies the lists. */
  public RunOutline {
    arms = List.copyOf(arms);
    measures = List.copyOf(measures);
  }

  /** Of an experiment on tables. */
  public static RunOutline of(Experiment experiment, RingSummary ring) {
    return new RunOutline(
        experiment.name(),
        experiment.paper(),
        experiment.title(),
        experiment.armNames(),
        experiment.blocks(),
        SampledMeasure.OF_TABLES,
        ring);
  }
}
