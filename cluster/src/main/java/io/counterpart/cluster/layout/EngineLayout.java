package io.counterpart.cluster.layout;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.EngineTokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A heterogeneous cluster: servers with a node of each engine class. A node's rack is its class.
 * Its memtable configuration {@link MemtableConfigurations#ENGINE} is its engine, so that one table
 * option means another engine on each class.
 *
 * <p>On loopback a server is no more than a number: the nodes {@code s × classes + 1} to {@code (s
 * + 1) × classes}, in the order write, read, memory.
 *
 * @param engines name of the engine of each class that has nodes
 * @param quotas copies of each class; positive for these classes and for no others
 */
public record EngineLayout(Map<EngineClass, String> engines, EngineQuotas quotas) {
  /**
   * Engines of this build by name; {@code lsm} is Cassandra's own, {@code volatile} the engine
   * {@code memory} without a copy on disk. Others may come with a jar.
   */
  public static final List<String> ENGINES =
      List.of("lsm", "lmdb", "memory", "volatile", "sql", "redis");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");
  private static final String ORDER = "-Dcounterpart.snitch.engines=";
  private static final List<EngineClass> FASTEST_READ_FIRST =
      List.of(EngineClass.MEMORY, EngineClass.READ, EngineClass.WRITE);

  /** Checks and copies. */
  public EngineLayout {
    Map<EngineClass, String> ordered = new EnumMap<>(EngineClass.class);
    ordered.putAll(engines);
    engines = Collections.unmodifiableMap(ordered);
    engines.forEach(
        (engine, name) -> {
          if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "engine of class %s is '%s', legal: small letters, digits and _, a letter first"
                    .formatted(engine, name));
          }
          if (name.equals(MemtableConfigurations.VOLATILE) && engine != EngineClass.MEMORY) {
            throw new IllegalArgumentException(
                "engine of class %s is '%s', legal: one with a copy on disk, as each row needs one"
                    .formatted(engine, name));
          }
        });
    List<EngineClass> needed = classes(quotas);
    if (!needed.equals(List.copyOf(engines.keySet()))) {
      throw new IllegalArgumentException(
          "classes with an engine are %s, legal: %s, which keep copies (%s)"
              .formatted(engines.keySet(), needed, quotas));
    }
  }

  private static List<EngineClass> classes(EngineQuotas quotas) {
    List<EngineClass> classes = new ArrayList<>(List.of(EngineClass.values()));
    classes.removeIf(engine -> quotas.of(engine) == 0);
    return classes;
  }

  /** Names of the engines whose jars the nodes need. */
  public List<String> jars() {
    return engines.values().stream()
        .distinct()
        .filter(name -> !name.equals(MemtableConfigurations.LSM))
        .toList();
  }

  /**
   * Option of the nodes' JVMs by which {@link Snitches#PRIMARY_FIRST} sends reads to memory and
   * read nodes.
   *
   * @param given options that the nodes have otherwise: nothing is added to an order of theirs
   */
  public List<String> optionsForReads(List<String> given) {
    if (given.stream().anyMatch(option -> option.startsWith(ORDER))) {
      return List.of();
    }
    return List.of(
        FASTEST_READ_FIRST.stream()
            .filter(engines::containsKey)
            .map(EngineClass::toString)
            .collect(Collectors.joining(",", ORDER, "")));
  }

  /** Whether nodes lose what they have when they are killed. */
  public boolean losesDataWhenKilled() {
    return engines.containsValue(MemtableConfigurations.VOLATILE);
  }

  /** Where the nodes stand, node 1 first. */
  public List<Location> locations(int servers) {
    List<Location> locations = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      for (EngineClass engine : engines.keySet()) {
        locations.add(new Location(Location.DEFAULT.dc(), engine.toString()));
      }
    }
    return List.copyOf(locations);
  }

  /**
   * Looks whether the nodes are whole servers, and enough of them.
   *
   * @throws IllegalArgumentException with the number and the legal ones
   */
  void requireNodes(int nodes) {
    int classes = engines.size();
    int least = engines.keySet().stream().mapToInt(quotas::of).max().orElse(1);
    if (nodes % classes != 0 || nodes / classes < least) {
      throw new IllegalArgumentException(
          "nodes is %d, legal: a multiple of %d, a node of each class on %d servers or more (%s)"
              .formatted(nodes, classes, least, quotas));
    }
  }

  /**
   * Tokens of every node, node 1 first.
   *
   * @param perCopy tokens of a node for each copy of its class; see {@link EngineTokens#plan}
   */
  List<List<Long>> tokens(int nodes, int perCopy) {
    int servers = nodes / engines.size();
    Map<EngineClass, List<List<Long>>> planned = EngineTokens.plan(servers, quotas, perCopy);
    List<List<Long>> tokens = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      for (EngineClass engine : engines.keySet()) {
        tokens.add(planned.getOrDefault(engine, List.of()).get(server));
      }
    }
    return List.copyOf(tokens);
  }

  /** The engine of a node; Cassandra's own for one in a rack that is no class. */
  String engineAt(Location location) {
    return EngineClass.named(location.rack())
        .map(known -> engines.getOrDefault(known, MemtableConfigurations.LSM))
        .orElse(MemtableConfigurations.LSM);
  }

  /** The section {@code memtable} of a node whose engine has no parameters of the node's own. */
  Map<String, Object> memtable(Location location) {
    return MemtableConfigurations.alias(Map.of(engineAt(location), Map.of()));
  }
}
