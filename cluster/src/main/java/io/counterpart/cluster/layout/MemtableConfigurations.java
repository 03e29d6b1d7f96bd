package io.counterpart.cluster.layout;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code memtable} of cassandra.yaml: trie memtables by default, and a configuration
 * for each storage engine, by its name.
 */
public final class MemtableConfigurations {
  /** The configuration that stands for another engine on each class of nodes. */
  public static final String ENGINE = "engine";

  /** Cassandra's own engine. */
  public static final String LSM = "lsm";

  /** The engine {@code memory} without a copy on disk, by the name of its parameter. */
  static final String VOLATILE = "volatile";

  private static final String DIRECT = "_direct";

  /** Engines with a store to which a write may go at once. */
  private static final List<String> TAKE_WRITES = List.of("lmdb", "sql", "redis");

  private static final String LIST = "configurations";
  private static final String ENGINE_MEMTABLE = "io.counterpart.cassandra.engine.EngineMemtable";

  private MemtableConfigurations() {}

  /**
   * @param engines names of engines whose jars are on the nodes' class path
   */
  public static Map<String, Object> withEngines(Collection<String> engines) {
    Map<String, Map<String, String>> parameters = new LinkedHashMap<>();
    engines.forEach(engine -> parameters.put(engine, Map.of()));
    return with(parameters);
  }

  /** Configuration of an engine whose writes reach its store before they are acknowledged. */
  public static String direct(String engine) {
    return engine + DIRECT;
  }

  /** The engine of a configuration by its name or that of {@link #direct}. */
  public static String engineOf(String configuration) {
    return configuration.endsWith(DIRECT)
        ? configuration.substring(0, configuration.length() - DIRECT.length())
        : configuration;
  }

  /**
   * With each of these, and with {@code lsm} for tables that leave them. Those whose stores take
   * writes at once are there a second time, {@link #direct}.
   *
   * @param engines by name, with the parameters of each
   */
  static Map<String, Object> with(Map<String, Map<String, String>> engines) {
    Map<String, Object> configurations = stock();
    configurations.put(LSM, engine(LSM, Map.of()));
    engines.forEach((engine, parameters) -> configurations.put(engine, engine(engine, parameters)));
    engines.keySet().stream()
        .filter(TAKE_WRITES::contains)
        .forEach(
            engine ->
                configurations.put(
                    direct(engine),
                    Map.of("inherits", engine, "parameters", Map.of("mode", "direct"))));
    return Map.of(LIST, configurations);
  }

  /**
   * With {@link #ENGINE} for an engine, and with {@code lsm} for tables that leave it.
   *
   * @param engine one, by name, with its parameters
   */
  static Map<String, Object> alias(Map<String, Map<String, String>> engine) {
    Map<String, Object> configurations = stock();
    configurations.put(LSM, engine(LSM, Map.of()));
    engine.forEach((name, parameters) -> configurations.put(ENGINE, engine(name, parameters)));
    return Map.of(LIST, configurations);
  }

  /** A section with the configurations of another one that it lacks. */
  static Map<String, Object> merged(Map<String, Object> section, @Nullable Object other) {
    Map<Object, Object> all = new LinkedHashMap<>();
    if (other instanceof Map<?, ?> more && more.get(LIST) instanceof Map<?, ?> configurations) {
      all.putAll(configurations);
    }
    if (section.get(LIST) instanceof Map<?, ?> configurations) {
      all.putAll(configurations);
    }
    return Map.of(LIST, all);
  }

  private static Map<String, Object> stock() {
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("trie", Map.of("class_name", "TrieMemtable"));
    configurations.put("default", Map.of("inherits", "trie"));
    return configurations;
  }

  private static Map<String, Object> engine(String engine, Map<String, String> own) {
    Map<String, String> parameters = new LinkedHashMap<>();
    if (engine.equals(VOLATILE)) {
      parameters.put("engine", "memory");
      parameters.put(VOLATILE, "true");
    } else {
      parameters.put("engine", engine);
    }
    parameters.putAll(own);
    return Map.of("class_name", ENGINE_MEMTABLE, "parameters", parameters);
  }
}
