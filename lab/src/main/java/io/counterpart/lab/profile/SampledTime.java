package io.counterpart.lab.profile;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Thread-seconds by part, from the samples of one JVM. Not thread-safe.
 *
 * <p>At each tick the sampler takes up to five threads that run Java code, and one thread in native
 * code, each in its turn, whether it computes there or waits. So a sample in Java stands for a
 * tick, and one in native code for a whole turn, whose length is the number of threads in native
 * code. Ticks come late on a busy machine, so the samples themselves give both lengths: each tick
 * leaves one native sample, and a thread that never leaves native code (one that accepts
 * connections) is sampled once a turn.
 *
 * <p>Counted is the time in which a thread runs or waits for the disk. Not counted are waits for
 * locks, queues and answers, and the JVM's own work: garbage collection and compilation.
 */
final class SampledTime {
  private final Map<Part, Long> inJava = new EnumMap<>(Part.class);
  private final Map<Part, Long> inNative = new EnumMap<>(Part.class);
  private final Map<Long, Long> nativeByThread = new HashMap<>();

  /** Counts a thread that was seen running Java code. */
  void addJava(String thread, List<String> frames) {
    PartClassifier.classify(thread, frames).ifPresent(part -> inJava.merge(part, 1L, Long::sum));
  }

  /** Counts a thread that was seen in native code, busy or not. */
  void addNative(long threadId, String thread, List<String> frames) {
    nativeByThread.merge(threadId, 1L, Long::sum);
    PartClassifier.classify(thread, frames).ifPresent(part -> inNative.merge(part, 1L, Long::sum));
  }

  /**
   * Seconds of all threads together for every part; empty if nothing was sampled.
   *
   * @param wallSeconds how long was sampled
   */
  Map<String, Double> seconds(double wallSeconds) {
    long ticks = nativeByThread.values().stream().mapToLong(Long::longValue).sum();
    long turns = nativeByThread.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Map<String, Double> seconds = new LinkedHashMap<>();
    if (ticks == 0) {
      return seconds;
    }
    for (Part part : Part.values()) {
      double busy = wallSeconds * inJava.getOrDefault(part, 0L) / ticks;
      seconds.put(part.key(), busy + wallSeconds * inNative.getOrDefault(part, 0L) / turns);
    }
    return seconds;
  }
}
