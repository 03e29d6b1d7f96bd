package io.counterpart.cluster.layout;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The section {@code memtable} of cassandra.yaml: trie memtables by default, and a configuration
 * for each storage engine, by its name.
 */
public final class MemtableConfigurations {
  /** The configuration that stands for another engine on each class of nodes. */
  public static final String ENGINE = "engine";

  /** Cassandra's own engine. */
  public static final String LSM = "lsm";

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

  /**
   * With each of these, and with {@code lsm} for tables that leave them.
   *
   * @param engines by name, with the parameters of each
   */
  static Map<String, Object> with(Map<String, Map<String, String>> engines) {
    Map<String, Object> configurations = stock();
    configurations.put(LSM, engine(LSM, Map.of()));
    engines.forEach((engine, parameters) -> configurations.put(engine, engine(engine, parameters)));
    return Map.of("configurations", configurations);
  }

  /**
   * With {@link #ENGINE} for an engine.
   *
   * @param engine one, by name, with its parameters
   */
  static Map<String, Object> alias(Map<String, Map<String, String>> engine) {
    Map<String, Object> configurations = stock();
    engine.forEach((name, parameters) -> configurations.put(ENGINE, engine(name, parameters)));
    return Map.of("configurations", configurations);
  }

  private static Map<String, Object> stock() {
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("trie", Map.of("class_name", "TrieMemtable"));
    configurations.put("default", Map.of("inherits", "trie"));
    return configurations;
  }

  private static Map<String, Object> engine(String engine, Map<String, String> own) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("engine", engine);
    parameters.putAll(own);
    return Map.of("class_name", ENGINE_MEMTABLE, "parameters", parameters);
  }
}
