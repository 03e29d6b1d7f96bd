package io.counterpart.core.recovery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A ring of random tokens whose replicas are placed as NetworkTopologyStrategy places them. */
record SyntheticRing(List<ReplicatedRange> ranges, Map<String, String> datacenters) {
  /** So many different nodes hold all replicas of a range, on whatever racks. */
  private static final int WALK = 100;

  /**
   * @param tokens a node
   * @param factors replicas by datacenter; nodes take turns in the datacenters
   * @param racks in each datacenter
   */
  static SyntheticRing of(
      int nodes, int tokens, Map<String, Integer> factors, int racks, Random random) {
    List<String> names = new ArrayList<>(factors.keySet());
    Collections.sort(names);
    Map<String, String> datacenters = new TreeMap<>();
    Map<String, Integer> rackOf = new HashMap<>();
    TreeMap<Long, String> owners = new TreeMap<>();
    for (int node = 0; node < nodes; node++) {
      String endpoint = "n" + node;
      datacenters.put(endpoint, names.get(node % names.size()));
      rackOf.put(endpoint, node / names.size() % racks);
      for (int i = 0; i < tokens; i++) {
        owners.put(random.nextLong(), endpoint);
      }
    }
    List<Long> ring = new ArrayList<>(owners.keySet());
    List<ReplicatedRange> ranges = new ArrayList<>();
    for (int i = 0; i < ring.size(); i++) {
      Set<String> walk = new LinkedHashSet<>();
      for (int j = 0; j < ring.size() && walk.size() < Math.min(nodes, WALK); j++) {
        walk.add(owners.get(ring.get((i + j) % ring.size())));
      }
      List<String> replicas = replicas(List.copyOf(walk), factors, datacenters, rackOf);
      if (!replicas.isEmpty()) {
        long left = ring.get((i + ring.size() - 1) % ring.size());
        ranges.add(new ReplicatedRange(new TokenRange(left, ring.get(i)), replicas));
      }
    }
    return new SyntheticRing(ranges, datacenters);
  }

  private static List<String> replicas(
      List<String> walk,
      Map<String, Integer> factors,
      Map<String, String> datacenters,
      Map<String, Integer> rackOf) {
    Set<String> chosen = new LinkedHashSet<>();
    factors.forEach(
        (datacenter, factor) -> {
          Set<String> here = new LinkedHashSet<>();
          Set<Integer> racks = new LinkedHashSet<>();
          List<String> local =
              walk.stream().filter(node -> datacenter.equals(datacenters.get(node))).toList();
          for (String node : local) {
            if (here.size() < factor && racks.add(rackOf.get(node))) {
              here.add(node);
            }
          }
          for (String node : local) {
            if (here.size() < factor) {
              here.add(node);
            }
          }
          chosen.addAll(here);
        });
    return walk.stream().filter(chosen::contains).toList();
  }
}
