package io.counterpart.cli.predict;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.core.staleness.Proportion;
import io.counterpart.core.staleness.Quorum;
import io.counterpart.core.staleness.WarsModel;
import io.counterpart.core.staleness.WarsSimulation;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart predict}: how often a read misses the last write. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Predicts how often a read misses the last acknowledged write, by simulated delays.",
      "Contacts no node; the same seed gives the same answer.",
      "A FILE has four lines, write, ack, read and response, each with one-way delays in ms that"
          + " were measured:",
      "  write 0.4 0.5 12.1"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:predicted", "2:a bad option or file"})
public final class PredictCommand implements Callable<Integer> {
  private static final double CONFIDENCE = 0.95;

  @Spec private CommandSpec command;

  @Option(
      names = "--n",
      paramLabel = "N",
      description = "Replicas of a row, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int replicas = 3;

  @Option(
      names = "--r",
      required = true,
      paramLabel = "R",
      description = "Replicas that a read waits for, 1 to N: 1 for ONE.")
  private int reads;

  @Option(
      names = "--w",
      required = true,
      paramLabel = "W",
      description = "Replicas that a write waits for, 1 to N.")
  private int writes;

  @Option(
      names = "--t",
      paramLabel = "TIME",
      description =
          "From the write's acknowledgement to the read, such as 10ms, 500us or 2s (default:"
              + " ${DEFAULT-VALUE}).")
  private String after = "0ms";

  @Option(
      names = "--model",
      paramLabel = "NAME|FILE",
      description =
          "Delays: lnkd-ssd, lnkd-disk or ymmr, as published, or a file (default:"
              + " ${DEFAULT-VALUE}).")
  private String model = "lnkd-ssd";

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "1 to 50000000 (default: ${DEFAULT-VALUE}).")
  private int trials = 1_000_000;

  @Option(names = "--seed", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Mixin private Output output;

  @Override
  public Integer call() {
    Quorum quorum;
    Proportion stale;
    try {
      quorum = new Quorum(replicas, reads, writes);
      WarsModel delays = DelayFile.model(model);
      stale = new WarsSimulation(delays, quorum).stale(DelayFile.millis(after), trials, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
    output.result(json(quorum, stale), text(quorum, stale));
    return ExitCodes.OK;
  }

  private Map<String, Object> json(Quorum quorum, Proportion stale) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("quorum", quorum);
    json.put("model", model);
    json.put("afterMillis", DelayFile.millis(after));
    json.put("stale", stale.share());
    json.put("staleLow", stale.low(CONFIDENCE));
    json.put("staleHigh", stale.high(CONFIDENCE));
    json.put("confidence", CONFIDENCE);
    json.put("trials", stale.trials());
    json.put("seed", seed);
    return json;
  }

  private String text(Quorum quorum, Proportion stale) {
    String overlap =
        quorum.reads() + quorum.writes() > quorum.replicas()
            ? System.lineSeparator() + "R + W > N: every read meets a replica that has the write"
            : "";
    return String.format(
            Locale.ROOT,
            "N=%d R=%d W=%d, %s after the write, delays of %s: %.3f %% of reads are stale",
            quorum.replicas(),
            quorum.reads(),
            quorum.writes(),
            after,
            model,
            100 * stale.share())
        + String.format(
            Locale.ROOT,
            "%n%.3f to %.3f %% at 95 %% confidence, from %,d trials%s",
            100 * stale.low(CONFIDENCE),
            100 * stale.high(CONFIDENCE),
            stale.trials(),
            overlap);
  }
}
