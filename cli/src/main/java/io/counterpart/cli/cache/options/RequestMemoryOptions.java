package io.counterpart.cli.cache.options;

import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.ServiceOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that bound the memory of clients' requests; mixed into commands. */
final class RequestMemoryOptions {

  /** Names of all options here. */
  static final List<String> NAMES = List.of("--request-memory", "--client-memory");

  private static final int MIB = 1 << 20;
  private static final int MIN_TOTAL = (int) (MemoryLimits.MIN_TOTAL_BYTES / MIB);

  @Option(
      names = "--request-memory",
      paramLabel = "MIB",
      description =
          "Memory for the requests of all clients and their answers, in MiB, 16, or 32 for each of"
              + " several shards, to half of the heap; clients wait for more (default: a quarter of"
              + " the heap).")
  private @Nullable Integer total;

  @Option(
      names = "--client-memory",
      paramLabel = "MIB",
      description =
          "Memory for the requests of one client and their answers, in MiB, 1 to --request-memory,"
              + " of several shards to half of a shard's share (default: an eighth of"
              + " --request-memory).")
  private @Nullable Integer client;

  /**
   * The limits.
   *
   * @param jvmBytes heap of the proxy, or its direct memory if that is less
   * @param shards number of shards, 1 and above
   * @throws IllegalArgumentException with the option, its value and the legal range
   */
  MemoryLimits limits(long jvmBytes, int shards) {
    int parts = ServiceOptions.budgets(shards);
    long least = (long) MIN_TOTAL * parts;
    long most = Math.max(MIN_TOTAL, jvmBytes / 2 / MIB);
    if (least > most) {
      throw new IllegalArgumentException(
          "%s is %d, not in 1..%d with a heap of %d MiB for the proxy"
              .formatted(
                  ShardsOption.NAME,
                  shards,
                  Math.max(1, most / MIN_TOTAL * shards / parts),
                  jvmBytes / MIB));
    }
    MemoryLimits limits =
        MemoryLimits.ofTotal(Math.max(least * MIB, MemoryLimits.ofJvm(jvmBytes).totalBytes()));
    if (total != null) {
      requireRange("--request-memory", total, least, most);
      limits = MemoryLimits.ofTotal((long) total * MIB);
    }
    if (client != null) {
      requireRange("--client-memory", client, 1, limits.totalBytes() / parts / MIB);
      limits = new MemoryLimits(limits.totalBytes(), (long) client * MIB);
    }
    return limits;
  }

  private static void requireRange(String option, int value, long low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s is %d, not in %d..%d".formatted(option, value, low, high));
    }
  }

  /** Options that were given, with their values. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    if (total != null) {
      values.put("--request-memory", total.toString());
    }
    if (client != null) {
      values.put("--client-memory", client.toString());
    }
    return values;
  }
}
