package io.counterpart.cli.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of the place that keeps a run; mixed into the commands that run an experiment. */
final class KeepOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--out",
      description = "directory for the result; default: target/lab/NAME (replay: NAME-replay)",
      paramLabel = "DIR")
  private @Nullable Path out;

  @Option(
      names = "--bundle",
      description = "also write that whole directory into one zip file",
      paramLabel = "FILE")
  private @Nullable Path bundle;

  /** The directory for the result, absolute. */
  Path directory(Path fallback) {
    return absolute(out == null ? fallback : out);
  }

  /** The bundle's file, absolute. */
  @Nullable Path bundle() {
    return bundle == null ? null : absolute(bundle);
  }

  /** Refuses what could not be written: better now than after the run. */
  void check() {
    if (out != null) {
      refuseIf(Files.exists(out) && !Files.isDirectory(out), "--out", out, "is no directory");
      refuseIf(!writable(out), "--out", out, "cannot be written");
    }
    if (bundle != null) {
      refuseIf(Files.isDirectory(bundle), "--bundle", bundle, "is a directory, not a file");
      refuseIf(!writable(bundle), "--bundle", bundle, "cannot be written");
    }
  }

  /**
   * Refuses to write over a run that is still needed.
   *
   * @param fallback as {@link #directory} has it
   */
  void checkSpares(Path source, Path fallback) {
    Path kept = absolute(source);
    String reason = "would write over the run that is replayed";
    Path folder = directory(fallback);
    refuseIf(
        folder.equals(kept) || folder.resolve("result.json").equals(kept), "--out", folder, reason);
    if (bundle != null) {
      refuseIf(absolute(bundle).equals(kept), "--bundle", bundle, reason);
    }
  }

  private void refuseIf(boolean bad, String option, Path value, String reason) {
    if (bad) {
      throw new ParameterException(
          command.commandLine(), "%s '%s': %s".formatted(option, value, reason));
    }
  }

  /** Whether the nearest directory above that exists, or the path itself, can be written. */
  private static boolean writable(Path path) {
    Path nearest = absolute(path);
    while (nearest != null && !Files.exists(nearest)) {
      nearest = nearest.getParent();
    }
    boolean exists = nearest != null && nearest.equals(absolute(path));
    return nearest != null && Files.isWritable(nearest) && (exists || Files.isDirectory(nearest));
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }
}
