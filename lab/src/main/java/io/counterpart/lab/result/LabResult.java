package io.counterpart.lab.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run of an experiment, of the bench or of the memory tier, whole or as it is published.
 *
 * @param schema version of this layout; {@value #SCHEMA} is the only one so far
 * @param experiment its name
 * @param paper where the paper has it
 * @param title what it shows
 * @param scale smoke, small or full
 * @param config everything that repeats the run: seed, versions, hardware, cluster, arms
 * @param blocks every block, in the order in which they ran
 * @param samples throughput and backlog over time; empty where published
 * @param figures figures of merit
 * @param checked values compared byte by byte at the end
 * @param lost rows acknowledged but absent or older
 * @param wrong values that match no version ever sent
 * @param unread rows that could not be read back
 * @param seconds wall time of the run
 * @param series curves, where the experiment draws any; else empty, as in files that are older
 */
public record LabResult(
    int schema,
    String experiment,
    String paper,
    String title,
    String scale,
    Map<String, Object> config,
    List<BlockResult> blocks,
    List<Sample> samples,
    List<LabFigure> figures,
    long checked,
    long lost,
    long wrong,
    long unread,
    long seconds,
    List<Series> series) {
  /** Version of this layout. */
  public static final int SCHEMA = 1;

  /** Key of {@link #config}: storage engines of its tables; absent without any. */
  public static final String ENGINES = "engines";

  /** Key of {@link #config}: why a run has not come to its end; absent if it has. */
  public static final String BROKEN_OFF = "brokenOff";

  /** Reads files without series, samples or figures: what is empty may be absent. */
  public LabResult {
    samples = samples == null ? List.of() : List.copyOf(samples);
    series = series == null ? List.of() : List.copyOf(series);
    figures = figures == null ? List.of() : List.copyOf(figures);
  }

  /** A run without series. */
  public LabResult(
      int schema,
      String experiment,
      String paper,
      String title,
      String scale,
      Map<String, Object> config,
      List<BlockResult> blocks,
      List<Sample> samples,
      List<LabFigure> figures,
      long checked,
      long lost,
      long wrong,
      long unread,
      long seconds) {
    this(
        schema,
        experiment,
        paper,
        title,
        scale,
        config,
        blocks,
        samples,
        figures,
        checked,
        lost,
        wrong,
        unread,
        seconds,
        List.of());
  }

  /**
   * What documents quote: figures, phases and configuration. Samples and latency histograms, nine
   * tenths of a result, are left out.
   */
  public LabResult published() {
    return with(blocks.stream().map(BlockResult::withoutHistograms).toList(), List.of(), figures);
  }

  /** The same run with these figures. */
  public LabResult withFigures(List<LabFigure> other) {
    return with(blocks, samples, other);
  }

  private LabResult with(
      List<BlockResult> itsBlocks, List<Sample> itsSamples, List<LabFigure> itsFigures) {
    return new LabResult(
        schema,
        experiment,
        paper,
        title,
        scale,
        config,
        itsBlocks,
        itsSamples,
        itsFigures,
        checked,
        lost,
        wrong,
        unread,
        seconds,
        series);
  }

  /** True if the run came to its end and every row was read back intact. */
  public boolean clean() {
    return brokenOff().isEmpty() && lost == 0 && wrong == 0 && unread == 0;
  }

  /** Whether any of its tables was kept by a storage engine. */
  public boolean hasEngines() {
    return config.containsKey(ENGINES);
  }

  /** Why the run has not come to its end, so that not every row was read back; empty if it has. */
  public Optional<String> brokenOff() {
    return Optional.ofNullable(config.get(BROKEN_OFF)).map(String::valueOf);
  }
}
