package io.counterpart.lab.setup;

import io.counterpart.cluster.Installation;
import io.counterpart.cluster.layout.MemtableConfigurations;
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

  /** These keep their stores on servers, which clusters of the lab do not start. */
  private static final Set<String> ON_SERVERS = Set.of("sql", "redis");

  /** Keeps the names. */
  public EngineJars {
    found = Map.copyOf(found);
    used = List.copyOf(used);
  }

  /** Those that an installation has built and that need no more than a jar, none of them used. */
  public static EngineJars of(Installation installation) {
    Map<String, Path> jars = new LinkedHashMap<>();
    for (String engine : Arm.ENGINES) {
      try {
        if (!ON_SERVERS.contains(engine)) {
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
    return used.stream().map(engine -> Objects.requireNonNull(found.get(engine))).toList();
  }

  /** The entry of cassandra.yaml that they need; empty where none is used. */
  Map<String, Object> yaml() {
    return used.isEmpty() ? Map.of() : Map.of(MEMTABLE, MemtableConfigurations.withEngines(used));
  }
}
