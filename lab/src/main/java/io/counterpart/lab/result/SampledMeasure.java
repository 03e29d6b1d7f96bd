package io.counterpart.lab.result;

import java.util.List;

/**
 * A measure that samples have, and its chart over time: on the live page and in the report.
 *
 * @param name of a component of {@link Sample}, or a key of {@link Sample#measures}
 * @param title of the chart
 * @param unit of what the chart shows
 * @param divisor from the value of a sample to that unit
 * @param always whether the chart is shown even if nothing was ever above zero
 */
public record SampledMeasure(
    String name, String title, String unit, double divisor, boolean always) {
  /** Operations in a second. */
  public static final String THROUGHPUT = "operationsPerSecond";

  /** Compactions that wait. */
  public static final String BACKLOG = "pendingCompactions";

  /** Memory of memtables, in bytes. */
  public static final String MEMTABLES = "memtableBytes";

  /** 99th percentile of the answers since the sample before, in microseconds. */
  public static final String P99_MICROS = "p99Micros";

  /** Share of the reads since the sample before that found their object, 0 to 1. */
  public static final String HIT_RATIO = "hitRatio";

  /** Memory that the servers' processes hold, in bytes. */
  public static final String SERVER_BYTES = "serverBytes";

  /** Memory that the proxy's process holds, in bytes, where it has one of its own. */
  public static final String PROXY_BYTES = "proxyBytes";

  /** Journals on servers, in bytes, all copies. */
  public static final String JOURNAL_BYTES = "journalBytes";

  /** Stripes whose parity is not encoded yet. */
  public static final String OPEN_STRIPES = "openStripes";

  /** Objects that have left because servers were full, since the tier began. */
  public static final String EVICTED_OBJECTS = "evictedObjects";

  /** Bytes of objects that changes of servers have moved. */
  public static final String MOVED_BYTES = "movedBytesPerSecond";

  /** Stripes that a change of servers has still to visit, once for each wave. */
  public static final String STRIPES_TO_MOVE = "stripesToMove";

  /** Bytes of objects and parity that repair has restored. */
  public static final String RESTORED_BYTES = "restoredBytesPerSecond";

  /** Stripes that repair has still to visit, once for each server. */
  public static final String STRIPES_TO_RESTORE = "stripesToRestore";

  /** Servers of the tier that are down, joining or without all of their items. */
  public static final String SERVERS_NOT_UP = "serversNotUp";

  /** Bytes of data that were encoded. */
  public static final String ENCODED_BYTES = "encodedBytesPerSecond";

  private static final double MIB = 1 << 20;
  private static final double PERCENT = 0.01;
  private static final double MILLI = 1000;

  /** Measures of experiments on tables. */
  public static final List<SampledMeasure> OF_TABLES =
      List.of(
          new SampledMeasure(THROUGHPUT, "Throughput", "operations per second", 1, true),
          new SampledMeasure(
              BACKLOG, "Compaction backlog", "pending compactions of the block's table", 1, true),
          new SampledMeasure(MEMTABLES, "Memtables", "MiB, all tables", MIB, true));

  /** Measures of experiments on the memory tier. */
  public static final List<SampledMeasure> OF_TIERS =
      List.of(
          new SampledMeasure(THROUGHPUT, "Throughput", "operations per second", 1, true),
          new SampledMeasure(P99_MICROS, "Latency", "ms, 99th percentile", MILLI, false),
          new SampledMeasure(HIT_RATIO, "Hits", "% of reads", PERCENT, false),
          new SampledMeasure(SERVER_BYTES, "Memory of servers", "MiB", MIB, false),
          new SampledMeasure(PROXY_BYTES, "Memory of the proxy", "MiB", MIB, false),
          new SampledMeasure(JOURNAL_BYTES, "Journals", "MiB not folded into parity", MIB, false),
          new SampledMeasure(OPEN_STRIPES, "Open stripes", "stripes without parity", 1, false),
          new SampledMeasure(EVICTED_OBJECTS, "Evictions", "objects so far", 1, false),
          new SampledMeasure(MOVED_BYTES, "Moved", "MiB per second", MIB, false),
          new SampledMeasure(STRIPES_TO_MOVE, "Left to move", "stripes", 1, false),
          new SampledMeasure(RESTORED_BYTES, "Restored", "MiB per second", MIB, false),
          new SampledMeasure(STRIPES_TO_RESTORE, "Left to restore", "stripes", 1, false),
          new SampledMeasure(SERVERS_NOT_UP, "Servers not up", "servers", 1, false),
          new SampledMeasure(ENCODED_BYTES, "Encoded", "MiB per second", MIB, false));

  /** Checks the divisor. */
  public SampledMeasure {
    if (!(divisor > 0)) {
      throw new IllegalArgumentException("divisor %s: must be above 0".formatted(divisor));
    }
  }

  /** The measures that samples have. */
  public static List<SampledMeasure> of(List<Sample> samples) {
    return samples.stream().anyMatch(sample -> !sample.measures().isEmpty()) ? OF_TIERS : OF_TABLES;
  }
}
