package io.counterpart.core.placement.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many copies can be placed on different servers, where a server may lack engine classes: the
 * largest matching of copies and servers, by augmenting paths. Immutable.
 *
 * <p>Worked: one write and one read copy; server a has a node of each class, b a write node. Taken
 * first, the write node of a would leave no server for the read copy; the matching is 2, with write
 * on b.
 */
final class ServerMatching {
  private final Map<EngineClass, Set<String>> serversByClass;

  private ServerMatching(Map<EngineClass, Set<String>> serversByClass) {
    this.serversByClass = serversByClass;
  }

  static ServerMatching of(Collection<EngineNode> nodes) {
    Map<EngineClass, Set<String>> byClass = new EnumMap<>(EngineClass.class);
    for (EngineNode node : nodes) {
      byClass.computeIfAbsent(node.engine(), engine -> new TreeSet<>()).add(node.server());
    }
    return new ServerMatching(byClass);
  }

  /**
   * The most copies on different servers.
   *
   * @param copies by class; none where negative
   * @param used servers that take no more
   */
  int largest(Map<EngineClass, Integer> copies, Collection<String> used) {
    List<EngineClass> wanted = new ArrayList<>();
    copies.forEach(
        (engine, count) -> {
          for (int i = 0; i < count; i++) {
            wanted.add(engine);
          }
        });
    Map<String, Integer> copyOn = new HashMap<>();
    int placed = 0;
    for (int copy = 0; copy < wanted.size(); copy++) {
      if (place(copy, wanted, copyOn, new HashSet<>(used))) {
        placed++;
      }
    }
    return placed;
  }

  private boolean place(
      int copy, List<EngineClass> wanted, Map<String, Integer> copyOn, Set<String> closed) {
    for (String server : serversByClass.getOrDefault(wanted.get(copy), Set.of())) {
      if (closed.add(server)) {
        Integer other = copyOn.get(server);
        if (other == null || place(other, wanted, copyOn, closed)) {
          copyOn.put(server, copy);
          return true;
        }
      }
    }
    return false;
  }
}
