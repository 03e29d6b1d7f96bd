package io.counterpart.cassandra.engine;

import java.nio.file.Path;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a memtable configuration in cassandra.yaml.
 *
 * @param engine name of an engine on the class path
 * @param directory where stores are kept, absolute; null for the tables' own data directories
 */
record EngineParameters(String engine, @Nullable Path directory) {
  private static final String ENGINE = "engine";
  private static final String DIRECTORY = "directory";

  /**
   * Takes what it knows out of the map; Cassandra refuses the rest.
   *
   * @throws ConfigurationException naming the parameter and what is legal
   */
  static EngineParameters take(Map<String, String> options) {
    String engine = options.remove(ENGINE);
    if (engine == null || engine.isBlank()) {
      throw new ConfigurationException("parameter '" + ENGINE + "' is missing: name an engine");
    }
    String directory = options.remove(DIRECTORY);
    if (directory == null) {
      return new EngineParameters(engine, null);
    }
    Path path = Path.of(directory);
    if (!path.isAbsolute()) {
      throw new ConfigurationException(
          "parameter '" + DIRECTORY + "' is '" + directory + "', not an absolute path");
    }
    return new EngineParameters(engine, path.normalize());
  }
}
