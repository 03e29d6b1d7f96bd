package io.counterpart.lab.tier.arm;

import io.counterpart.lab.measure.SamplerThreads;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Sample;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.tier.client.ClientWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Samples a tier while a block runs, until closed. Changes of servers are over within seconds, so
 * they are sampled more often than requests, and once more at their end. A reading asks the tier's
 * event loop once, and the kernel for each server's memory.
 */
public final class TierSampler implements AutoCloseable {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration OFTEN = Duration.ofMillis(200);
  private static final double NANOS = 1e9;

  private final Sampling sampling;
  private final SampledTier tier;
  private final String phase;
  private final ClientWatch client;
  private final Sampling.Work work;
  private final ScheduledExecutorService timer;
  private SampledTier.Reading last;
  private long lastNanos;
  private volatile boolean hasSampled;

  private TierSampler(
      Sampling sampling, SampledTier tier, String phase, ClientWatch client, Sampling.Work work)
      throws IOException {
    this.sampling = sampling;
    this.tier = tier;
    this.phase = phase;
    this.client = client;
    this.work = work;
    last = tier.read();
    client.since();
    lastNanos = System.nanoTime();
    timer =
        SamplerThreads.every(
            work == Sampling.Work.ANSWERS ? SECOND : OFTEN, "tier-sampler", this::sample);
  }

  static TierSampler begin(
      Sampling sampling, SampledTier tier, String phase, ClientWatch client, Sampling.Work work)
      throws IOException {
    TierSampler sampler = new TierSampler(sampling, tier, phase, client, work);
    sampling.onServers().accept(sampler.last.servers());
    return sampler;
  }

  private void sample() {
    try {
      sample(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes a sample.
   *
   * @param blockSeconds time that it is about; 0 is the time since the sample before
   */
  private synchronized void sample(double blockSeconds) throws IOException {
    SampledTier.Reading now = tier.read();
    ClientWatch.Answers answers = client.since();
    long nanos = System.nanoTime();
    double seconds = blockSeconds > 0 ? blockSeconds : Math.max(1, nanos - lastNanos) / NANOS;
    Map<String, Double> measures = new LinkedHashMap<>(now.states());
    if (answers.p99Micros() > 0) {
      measures.put(SampledMeasure.P99_MICROS, (double) answers.p99Micros());
    }
    if (answers.reads() > 0) {
      measures.put(SampledMeasure.HIT_RATIO, (double) answers.hits() / answers.reads());
    }
    if (!now.counted().isEmpty()) {
      long moved = grown(now, ShardCounters.MOVED_BYTES);
      long restored =
          grown(now, ShardCounters.RESTORED_BYTES)
              + grown(now, ShardCounters.RESTORED_PARITY_BYTES);
      measures.put(SampledMeasure.MOVED_BYTES, moved / seconds);
      measures.put(SampledMeasure.RESTORED_BYTES, restored / seconds);
    }
    double perSecond = done(answers, now) / seconds;
    last = now;
    lastNanos = nanos;
    hasSampled = true;
    sampling
        .onSample()
        .accept(Sample.ofTier(sampling.second(nanos), tier.name(), phase, perSecond, measures));
    sampling.onServers().accept(now.servers());
  }

  private long done(ClientWatch.Answers answers, SampledTier.Reading now) {
    return switch (work) {
      case ANSWERS -> answers.well();
      case MOVED -> grown(now, ShardCounters.MOVED_OBJECTS);
      case RESTORED ->
          grown(now, ShardCounters.RESTORED_OBJECTS) + grown(now, ShardCounters.RESTORED_PARITY);
    };
  }

  private long grown(SampledTier.Reading now, String counter) {
    return now.counted(counter) - last.counted(counter);
  }

  /**
   * Ends with the block. One that was too short for a sample gets one of all of it; a change of
   * servers always gets one that shows it done.
   *
   * @throws IOException if the tier does not answer
   */
  public void end(BlockResult block) throws IOException {
    close();
    if (!hasSampled) {
      sample(block.seconds());
    } else if (work != Sampling.Work.ANSWERS) {
      sample(0);
    }
  }

  /** Stops; returns when no sample is under way. */
  @Override
  public void close() {
    SamplerThreads.stop(timer);
  }
}
