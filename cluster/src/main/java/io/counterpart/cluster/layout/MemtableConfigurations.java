package io.counterpart.cluster.layout;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The section {@code memtable} of cassandra.yaml: trie memtables by default, and a configuration
 * for each storage engine, by its name.
 */
public final class MemtableConfigurations {
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
   * @param engines by name, with the parameters of each
   */
  static Map<String, Object> with(Map<String, Map<String, String>> engines) {
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("trie", Map.of("class_name", "TrieMemtable"));
    configurations.put("default", Map.of("inherits", "trie"));
    engines.forEach(
        (engine, own) -> {
          Map<String, String> parameters = new LinkedHashMap<>();
          parameters.put("engine", engine);
          parameters.putAll(own);
          configurations.put(
              engine, Map.of("class_name", ENGINE_MEMTABLE, "parameters", parameters));
        });
    return Map.of("configurations", configurations);
  }
}
