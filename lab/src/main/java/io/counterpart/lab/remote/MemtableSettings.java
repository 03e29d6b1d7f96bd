package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The memtable configurations of a node's cassandra.yaml, by name, as the node shows them: {@code
 * {name=inherited+class{parameter=value, …}, …}}, or JSON where the node is told to.
 */
public record MemtableSettings(Map<String, Configuration> configurations) {
  /** Cassandra's own engine, of tables that leave engines. */
  public static final String LSM = "lsm";

  private static final String ENGINE_CLASS = "EngineMemtable";
  private static final String ENGINE = "engine";

  /** The plugin's, for a configuration that names no engine. */
  private static final String USUAL_ENGINE = "lmdb";

  /** The parameter that says when sstables go into the store. */
  private static final String ABSORB_AFTER = "absorb_sstables_after";

  private static final String NEVER = "never";

  /** The parameter that says that a store is in the heap alone. */
  private static final String VOLATILE = "volatile";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One of them.
   *
   * @param inherits name of another one; empty if it stands alone
   * @param className empty if it is the other one's
   * @param parameters its own, which go before the other one's
   */
  record Configuration(String inherits, String className, Map<String, String> parameters) {}

  /** Checks and copies. */
  public MemtableSettings {
    configurations = Map.copyOf(configurations);
  }

  /** Of a node, which is asked. */
  public static MemtableSettings at(CqlSession session, Node node) {
    return of(text(session, node));
  }

  /** As the node shows them; empty where it does not. */
  public static String text(CqlSession session, Node node) {
    Row settings =
        session
            .execute(
                EngineMigration.at(
                    node,
                    "SELECT value FROM system_views.settings WHERE name ="
                        + " 'memtable.configurations'"))
            .one();
    String value = settings == null ? null : settings.getString("value");
    return value == null ? "" : value;
  }

  /** From what a node shows. */
  public static MemtableSettings of(String text) {
    Map<String, Configuration> configurations = new LinkedHashMap<>();
    if (text.startsWith("{\"")) {
      json(text)
          .fields()
          .forEachRemaining(
              entry -> configurations.put(entry.getKey(), configuration(entry.getValue())));
    } else {
      assignments(text).forEach((name, value) -> configurations.put(name, configuration(value)));
    }
    return new MemtableSettings(configurations);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new RunRefusedException(
          "memtable configurations are shown as '%s', legal: a JSON object".formatted(text));
    }
  }

  private static Configuration configuration(JsonNode shown) {
    Map<String, String> parameters = new LinkedHashMap<>();
    shown
        .path("parameters")
        .fields()
        .forEachRemaining(entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
    return new Configuration(
        shown.path("inherits").asText(""), shown.path("class_name").asText(""), parameters);
  }

  private static Configuration configuration(String shown) {
    int brace = shown.indexOf('{');
    String head = brace < 0 ? shown : shown.substring(0, brace);
    int plus = head.indexOf('+');
    return new Configuration(
        plus < 0 ? "" : head.substring(0, plus),
        head.substring(plus + 1),
        brace < 0 ? Map.of() : assignments(shown.substring(brace)));
  }

  /** The entries of a map in braces, whose values may be maps themselves. */
  private static Map<String, String> assignments(String map) {
    Map<String, String> assignments = new LinkedHashMap<>();
    int depth = 0;
    int begin = 1;
    for (int i = 0; i < map.length(); i++) {
      char at = map.charAt(i);
      depth += at == '{' ? 1 : at == '}' ? -1 : 0;
      if (depth == 0 || depth == 1 && map.startsWith(", ", i)) {
        String entry = map.substring(begin, Math.max(begin, i)).strip();
        int equals = entry.indexOf('=');
        if (equals > 0) {
          assignments.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        begin = i + 1;
      }
    }
    return assignments;
  }

  /** Whether there is one of a name. */
  public boolean knows(String name) {
    return configurations.containsKey(name);
  }

  /**
   * The engine of a configuration, {@link #LSM} for Cassandra's own; empty if it is none of
   * Counterpart's.
   */
  public Optional<String> engine(String name) {
    List<Configuration> line = line(name);
    return line.stream()
        .map(Configuration::className)
        .filter(known -> !known.isEmpty())
        .findFirst()
        .filter(known -> known.endsWith(ENGINE_CLASS))
        .map(unused -> parameter(line, ENGINE).orElse(USUAL_ENGINE));
  }

  /** Whether tables of a configuration are in the heap alone, and end with the process. */
  public boolean isVolatile(String name) {
    return parameter(line(name), VOLATILE).filter("true"::equals).isPresent();
  }

  /** A configuration and those that it inherits, nearest first. */
  private List<Configuration> line(String name) {
    List<Configuration> line = new ArrayList<>();
    @Nullable Configuration next = configurations.get(name);
    while (next != null && !line.contains(next)) {
      line.add(next);
      next = configurations.get(next.inherits());
    }
    return line;
  }

  private static Optional<String> parameter(List<Configuration> line, String name) {
    return line.stream()
        .map(each -> Optional.ofNullable(each.parameters().get(name)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * The engine that a table can be moved to by a configuration, with all that it has.
   *
   * @param node for messages
   * @throws RunRefusedException with what is legal if the node lacks the configuration, or its
   *     sstables never go into a store
   */
  String requireEngine(String node, String name) {
    if (!knows(name)) {
      throw new RunRefusedException(
          "the cassandra.yaml of %s has no memtable configuration '%s', legal: %s"
              .formatted(node, name, legal()));
    }
    Optional<String> engine = engine(name);
    if (engine.isEmpty()) {
      throw new RunRefusedException(
          ("memtable configuration '%s' of %s is no storage engine: a node that dies meanwhile would"
                  + " not see what the table's store has. Use '%s' to leave an engine, legal: %s")
              .formatted(name, node, LSM, legal()));
    }
    if (!engine.get().equals(LSM)
        && parameter(line(name), ABSORB_AFTER).filter(NEVER::equals).isPresent()) {
      throw new RunRefusedException(
          "%s of memtable configuration '%s' of %s is '%s', with which sstables stay, legal: a time"
              .formatted(ABSORB_AFTER, name, node, NEVER));
    }
    return engine.get();
  }

  /** Names of the configurations of engines. */
  private String legal() {
    List<String> engines =
        configurations.keySet().stream().filter(name -> engine(name).isPresent()).sorted().toList();
    return engines.isEmpty()
        ? "one of class %s, of which there is none".formatted(ENGINE_CLASS)
        : "one of " + engines;
  }
}
