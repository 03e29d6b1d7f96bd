package io.counterpart.lab.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at one moment, taken about once a second under load.
 *
 * @param second since the run began
 * @param arm whose block ran
 * @param phase its phase
 * @param operationsPerSecond answered well since the sample before; of the memory tier also objects
 *     that moved or were restored, where the block's work is that
 * @param pendingCompactions of the block's table, all nodes together
 * @param compactedBytes of the block's table since it was created, all nodes together
 * @param memtableBytes of all tables, all nodes together: they share one pool
 * @param measures of the memory tier, by the names in {@link SampledMeasure#OF_TIERS}; what a block
 *     does not have is absent. Empty for tables, and left out of files then
 */
public record Sample(
    double second,
    String arm,
    String phase,
    double operationsPerSecond,
    long pendingCompactions,
    long compactedBytes,
    long memtableBytes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> measures) {
  /** Reads files without measures. */
  public Sample {
    measures =
        measures == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(measures));
  }

  /** A moment of a memory tier. */
  public static Sample ofTier(
      double second,
      String arm,
      String phase,
      double operationsPerSecond,
      Map<String, Double> measures) {
    return new Sample(second, arm, phase, operationsPerSecond, 0, 0, 0, measures);
  }

  /** A measure in the unit of its charts; null if the sample does not have it. */
  public @Nullable Double shown(SampledMeasure measure) {
    Double value =
        switch (measure.name()) {
          case SampledMeasure.THROUGHPUT -> Double.valueOf(operationsPerSecond);
          case SampledMeasure.BACKLOG -> Double.valueOf(pendingCompactions);
          case SampledMeasure.MEMTABLES -> Double.valueOf(memtableBytes);
          default -> measures.get(measure.name());
        };
    return value == null ? null : Double.valueOf(value / measure.divisor());
  }
}
