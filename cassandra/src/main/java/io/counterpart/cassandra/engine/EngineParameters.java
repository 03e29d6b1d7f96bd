package io.counterpart.cassandra.engine;

import io.counterpart.core.engine.WriteMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a memtable configuration in cassandra.yaml.
 *
 * @param engine name of an engine on the class path; the one that needs no server by default
 * @param mode when writes reach the store
 * @param directory where stores are kept, absolute; null for the tables' own data directories
 * @param absorbAfter time after a spill until sstables are taken into the store; null for never
 * @param sweepAfter time after a sweep of the store until the next; null for never
 * @param options the engine's own parameters
 */
record EngineParameters(
    String engine,
    WriteMode mode,
    @Nullable Path directory,
    @Nullable Duration absorbAfter,
    @Nullable Duration sweepAfter,
    Map<String, String> options) {
  private static final String ABSORB_AFTER = "absorb_sstables_after";
  private static final String SWEEP_AFTER = "sweep_after";
  private static final String NEVER = "never";

  /** Cassandra's own engine. */
  static final String LSM = "lsm";

  /** Needs nothing but its jar. */
  private static final String EMBEDDED = "lmdb";

  private static final String ENGINE = "engine";
  private static final String MODE = "mode";
  private static final String DIRECTORY = "directory";

  /**
   * Takes all out of the map: what is not known here is the engine's own, and the engine refuses
   * what it does not know.
   *
   * @throws ConfigurationException naming the parameter and what is legal
   */
  static EngineParameters take(Map<String, String> parameters) {
    String given = parameters.remove(ENGINE);
    String engine = given == null ? EMBEDDED : given;
    if (engine.isBlank()) {
      throw new ConfigurationException("parameter '" + ENGINE + "' is empty: name an engine");
    }
    WriteMode mode = mode(engine, parameters.remove(MODE));
    String directory = parameters.remove(DIRECTORY);
    Duration absorbAfter = delay(ABSORB_AFTER, parameters.remove(ABSORB_AFTER), "60s");
    Duration sweepAfter = delay(SWEEP_AFTER, parameters.remove(SWEEP_AFTER), "1d");
    Map<String, String> options = Map.copyOf(parameters);
    parameters.clear();
    if (directory == null) {
      return new EngineParameters(engine, mode, null, absorbAfter, sweepAfter, options);
    }
    Path path = Path.of(directory);
    if (!path.isAbsolute()) {
      throw new ConfigurationException(
          "parameter '" + DIRECTORY + "' is '" + directory + "', not an absolute path");
    }
    return new EngineParameters(engine, mode, path.normalize(), absorbAfter, sweepAfter, options);
  }

  private static WriteMode mode(String engine, @Nullable String given) {
    if (given == null) {
      return WriteMode.BUFFERED;
    }
    if (engine.equals(LSM)) {
      throw new ConfigurationException(
          "parameter '%s' is '%s': engine '%s' has no store that writes could go to, leave it out"
              .formatted(MODE, given, LSM));
    }
    try {
      return WriteMode.named(given);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("parameter '" + MODE + "': " + e.getMessage(), e);
    }
  }

  private static @Nullable Duration delay(String name, @Nullable String given, String usual) {
    if (NEVER.equals(given)) {
      return null;
    }
    String text = given == null ? usual : given;
    try {
      Duration delay = Duration.ofSeconds(new DurationSpec.IntSecondsBound(text).toSeconds());
      if (delay.isZero()) {
        throw new IllegalArgumentException("0 s is no pause");
      }
      return delay;
    } catch (RuntimeException e) {
      throw new ConfigurationException(
          "parameter '%s' is '%s', neither a time of 1s or more, as %s or 10m, nor %s"
              .formatted(name, text, usual, NEVER),
          e);
    }
  }
}
