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

  private static final Map<String, Object> TRIE = Map.of("class_name", "TrieMemtable");

  private static final String ENGINE_MEMTABLE = "io.counterpart.cassandra.engine.EngineMemtable";

  private MemtableConfigurations() {}

  /**
   * @param engines names of engines whose jars are on the nodes' class path
   */
  public static Map<String, Object> withEngines(Collection<String> engines) {
    Map<String, Object> configurations = stock();
    engines.forEach(engine -> configurations.put(engine, engine(engine)));
    return Map.of("configurations", configurations);
  }

  /** With {@link #ENGINE} for one storage engine, by its name. */
  static Map<String, Object> withEngine(String engine) {
    Map<String, Object> configurations = stock();
    configurations.put(ENGINE, engine(engine));
    return Map.of("configurations", configurations);
  }

  /** With {@link #ENGINE} for Cassandra's own memtable and sstables. */
  static Map<String, Object> withStockEngine() {
    Map<String, Object> configurations = stock();
    configurations.put(ENGINE, TRIE);
    return Map.of("configurations", configurations);
  }

  private static Map<String, Object> stock() {
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("trie", TRIE);
    configurations.put("default", Map.of("inherits", "trie"));
    return configurations;
  }

  private static Map<String, Object> engine(String engine) {
    return Map.of("class_name", ENGINE_MEMTABLE, "parameters", Map.of("engine", engine));
  }
}
