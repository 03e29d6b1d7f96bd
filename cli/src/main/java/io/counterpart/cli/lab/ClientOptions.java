package io.counterpart.cli.lab;

import io.counterpart.lab.workload.ClientShape;
import io.counterpart.lab.workload.value.ValueKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options of the client's load and the nodes' settings; mixed into the commands that run an
 * experiment.
 */
final class ClientOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--seed", description = "repeats keys and values; default: 1", paramLabel = "N")
  private long seed = 1;

  @Option(
      names = "--key-size",
      description = "bytes of a key, 14 to 1024; default: 24",
      paramLabel = "BYTES")
  private int keySize = ClientShape.PAPER.keyBytes();

  @Option(
      names = "--value-size",
      description = "bytes of a value, a multiple of 8, 16 to 16777216; default: 1000",
      paramLabel = "BYTES")
  private int valueSize = ClientShape.PAPER.valueBytes();

  @Option(
      names = "--value-kind",
      description = {
        "content of values: random (does not compress), json (records) or text;",
        "default: random, and json for the experiment formats"
      },
      paramLabel = "KIND")
  private @Nullable String valueKind;

  @Option(
      names = "--zipfian",
      description = "skew of updates and reads, above 0 and below 1; default: 0.99",
      paramLabel = "THETA")
  private double zipfian = ClientShape.PAPER.zipfianTheta();

  @Option(
      names = "--threads",
      description = {
        "operations under way at once, 1 to 4096;",
        "default: 50, and 40 for mycassandra-fig11-16"
      },
      paramLabel = "N")
  private @Nullable Integer threads;

  @Option(
      names = "--rate",
      description = {
        "operations/s of measured blocks, 1 to 10000000 (open loop: latencies count from the",
        "intended start);",
        "default: as fast as answers come"
      },
      paramLabel = "N")
  private int rate;

  @Option(
      names = "--yaml",
      description = "a setting of cassandra.yaml for all nodes; repeatable",
      paramLabel = "NAME=VALUE")
  private Map<String, String> settings = new LinkedHashMap<>();

  long seed() {
    return seed;
  }

  Map<String, Object> settings() {
    return new LinkedHashMap<>(settings);
  }

  /** The client, after a check of every range. */
  ClientShape shape() {
    return shape(ClientShape.PAPER.valueKind(), ClientShape.PAPER.threads());
  }

  /**
   * The same.
   *
   * @param usual content of values unless an option says otherwise
   * @param usualThreads operations under way at once, likewise
   */
  ClientShape shape(ValueKind usual, int usualThreads) {
    try {
      ValueKind values = valueKind == null ? usual : ValueKind.of(valueKind);
      return new ClientShape(
          keySize, valueSize, zipfian, threads == null ? usualThreads : threads, rate, values);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
