package io.counterpart.lab.setup;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.layout.MemtableConfigurations;
import io.counterpart.cluster.server.ServerKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The storage engines that a cluster of the lab can have, and those that its nodes do have.
 *
 * @param found jars by the names of their engines
 * @param used names of those on the nodes' class paths
 */
public record EngineJars(Map<String, Path> found, List<String> used) {
  /** No engines at all. */
  public static final EngineJars NONE = new EngineJars(Map.of(), List.of());

  private static final String MEMTABLE = "memtable";
  private static final int FLUSH_WRITERS = 4;

  /** Keeps the names. */
  public EngineJars {
    found = Map.copyOf(found);
    used = List.copyOf(used);
  }

  /**
   * Those that an installation has built, and whose servers this machine can start if they need
   * some; none of them used.
   */
  public static EngineJars of(Installation installation) {
    Map<String, Path> jars = new LinkedHashMap<>();
    for (String engine : Arm.ENGINES) {
      try {
        if (ServerKind.of(engine).flatMap(ServerKind::missing).isEmpty()) {
          jars.put(engine, installation.engineJar(engine));
        }
      } catch (IllegalStateException notBuilt) {
        // its arms are skipped, which the run says
        continue;
      }
    }
    return new EngineJars(jars, List.of());
  }

  /** The same with these in use. */
  EngineJars using(List<String> engines) {
    if (!found.keySet().containsAll(engines)) {
      throw new IllegalArgumentException(
          "engines %s: this build has jars of %s".formatted(engines, found.keySet()));
    }
    return new EngineJars(found, engines);
  }

  Set<String> names() {
    return found.keySet();
  }

  List<Path> jars() {
    return used.stream()
        .map(engine -> Objects.requireNonNull(found.get(engine)))
        .distinct()
        .toList();
  }

  /** The entries of cassandra.yaml that they need; empty where none is used. */
  Map<String, Object> yaml() {
    if (used.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put(MEMTABLE, MemtableConfigurations.withEngines(used));
    if (used.stream().anyMatch(engine -> ServerKind.of(engine).isPresent())) {
      // flushes that wait for servers leave threads to other tables
      yaml.put("memtable_flush_writers", FLUSH_WRITERS);
    }
    return yaml;
  }
}
