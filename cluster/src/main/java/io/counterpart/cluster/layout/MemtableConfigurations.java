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
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("trie", Map.of("class_name", "TrieMemtable"));
    configurations.put("default", Map.of("inherits", "trie"));
    for (String engine : engines) {
      configurations.put(
          engine, Map.of("class_name", ENGINE_MEMTABLE, "parameters", Map.of("engine", engine)));
    }
    return Map.of("configurations", configurations);
  }
}
