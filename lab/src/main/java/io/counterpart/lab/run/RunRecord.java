package io.counterpart.lab.run;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.plan.LabPlan;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements of a run so far. A result can be made at any moment, so a run that breaks off
 * keeps its blocks. Thread-safe.
 */
public final class RunRecord {
  private final RunHeader header;
  private final long startNanos = System.nanoTime();
  private final Map<String, Object> config = new LinkedHashMap<>();
  private final List<BlockResult> blocks = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private CheckOutcome check = CheckOutcome.NONE;

  RunRecord(LabPlan plan) {
    this(RunHeader.of(plan));
  }

  /** A record without anything measured. */
  public RunRecord(RunHeader header) {
    this.header = header;
  }

  /** {@link System#nanoTime()} of the run's start. */
  public long startNanos() {
    return startNanos;
  }

  synchronized boolean isDescribed() {
    return !config.isEmpty();
  }

  /** Adds to the configuration. */
  public synchronized void describe(Map<String, Object> more) {
    config.putAll(more);
  }

  /** Adds to a map of the configuration; keys that are there already are replaced. */
  @SuppressWarnings("unchecked")
  public synchronized void describe(String name, Map<String, Object> more) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (config.get(name) instanceof Map<?, ?> before) {
      all.putAll((Map<String, Object>) before);
    }
    all.putAll(more);
    config.put(name, all);
  }

  /** Adds a measured block. */
  public synchronized void add(BlockResult block) {
    blocks.add(block);
  }

  /** Adds a sample. */
  public synchronized void add(Sample sample) {
    samples.add(sample);
  }

  /** Adds verdicts of values that were read back. */
  public synchronized void add(CheckOutcome more) {
    check = check.plus(more);
  }

  /** Blocks so far. */
  public synchronized int blocks() {
    return blocks.size();
  }

  /** The result of a run that came to its end. */
  public synchronized LabResult result() {
    return result(config);
  }

  /** What there is of a run that did not. */
  public synchronized LabResult brokenOff(String reason) {
    Map<String, Object> more = new LinkedHashMap<>(config);
    more.put(
        LabResult.BROKEN_OFF,
        "%s, after %d of %d blocks".formatted(reason, blocks.size(), header.blocks()));
    return result(more);
  }

  private LabResult result(Map<String, Object> description) {
    List<BlockResult> measured = List.copyOf(blocks);
    return new LabResult(
        LabResult.SCHEMA,
        header.experiment(),
        header.paper(),
        header.title(),
        header.scale(),
        new LinkedHashMap<>(description),
        measured,
        List.copyOf(samples),
        Figures.of(header.aims(), measured, header.scale(), header.seed()),
        check.checked(),
        check.lost(),
        check.wrong(),
        check.unread(),
        Duration.ofNanos(System.nanoTime() - startNanos).toSeconds(),
        header.curves().apply(measured));
  }
}
