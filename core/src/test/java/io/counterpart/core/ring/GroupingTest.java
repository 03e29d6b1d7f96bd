package io.counterpart.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupingTest {
  private static final int RF = 3;

  private final long seed = Long.getLong("seed", System.nanoTime());

  @ParameterizedTest(
      name = "nodes={0} tokens={1} max_range_groups={2} → scattered={3} groups={4}..{5}")
  @CsvSource({
    "5,   16,  256, false, 20,  80",
    "30,  16,  256, false, 30,  80",
    "30,  256, 256, true,  81,  87",
    "30,  256, 1000, false, 600, 1000",
    "6,   256, 256, true,  50,  60",
    "300, 256, 256, true,  100, 128",
    "300, 256, 40,  true,  30,  40",
    "30,  256, 1,   true,  3,   3",
  })
  void bounds_the_groups_that_a_rewrite_keeps_open(
      int nodes, int tokens, int max, boolean scattered, int least, int most) {
    List<List<Integer>> replicas = ring(nodes, tokens);

    for (int local : List.of(0, nodes / 2, nodes - 1)) {
      Grouping grouping = Grouping.of(replicas, local, max);

      assertThat(grouping.scattered()).as("seed %d", seed).isEqualTo(scattered);
      assertThat(ownedGroups(grouping)).as("seed %d", seed).hasSizeBetween(least, most);
    }
  }

  @Test
  void arcs_without_a_copy_are_one_group_where_groups_are_scattered() {
    Grouping grouping = Grouping.of(ring(30, 256), 0, 256);

    assertThat(grouping.arcs().stream().filter(arc -> !arc.isOwned()).map(Arc::group).distinct())
        .as("seed %d", seed)
        .hasSize(1);
  }

  @Test
  void arcs_of_a_group_have_the_same_replica_index_in_every_grain() {
    List<List<Integer>> replicas = ring(40, 256);
    for (int max : new int[] {10_000, 256, 100, 9, 1}) {
      Map<Integer, Integer> indexOf = new HashMap<>();
      for (Arc arc : Grouping.of(replicas, 7, max).arcs()) {
        Integer before = indexOf.put(arc.group(), arc.replicaIndex());
        assertThat(before).as("seed %d, max %d", seed, max).isIn(null, arc.replicaIndex());
      }
    }
  }

  @Test
  void a_coarser_grain_keeps_the_groups_of_a_finer_one_whole() {
    List<List<Integer>> replicas = ring(40, 256);
    int[] finestFirst = {10_000, 256, 100, 9, 1};
    for (int i = 1; i < finestFirst.length; i++) {
      List<Arc> fine = Grouping.of(replicas, 7, finestFirst[i - 1]).arcs();
      List<Arc> coarse = Grouping.of(replicas, 7, finestFirst[i]).arcs();
      Map<Integer, Integer> joined = new HashMap<>();
      for (int arc = 0; arc < fine.size(); arc++) {
        if (fine.get(arc).isOwned()) {
          Integer before = joined.put(fine.get(arc).group(), coarse.get(arc).group());
          assertThat(before).as("seed %d", seed).isIn(null, coarse.get(arc).group());
        }
      }
    }
  }

  @Test
  void another_node_leaves_arcs_that_it_takes_no_copy_of_with_their_companions() {
    List<List<Integer>> replicas = ring(30, 256);
    List<List<Integer>> after = new ArrayList<>();
    for (int i = 0; i < replicas.size(); i++) {
      List<Integer> list = replicas.get(i);
      after.add(i % 10 == 0 ? List.of(list.get(0), 30, list.get(1)) : list);
    }

    List<Arc> before = Grouping.of(replicas, 3, 256).arcs();
    List<Arc> now = Grouping.of(after, 3, 256).arcs();

    Map<Integer, Integer> groupNow = new HashMap<>();
    for (int i = 0; i < before.size(); i++) {
      if (i % 10 != 0 && before.get(i).isOwned()) {
        Integer same = groupNow.put(before.get(i).group(), now.get(i).group());
        assertThat(same).as("seed %d", seed).isIn(null, now.get(i).group());
      }
    }
  }

  private static Set<Integer> ownedGroups(Grouping grouping) {
    Set<Integer> groups = new HashSet<>();
    grouping.arcs().stream().filter(Arc::isOwned).map(Arc::group).forEach(groups::add);
    return groups;
  }

  /** Replica lists of a ring with random tokens: the next nodes that are not yet in the list. */
  private List<List<Integer>> ring(int nodes, int tokens) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < nodes * tokens; i++) {
      owners.add(i % nodes);
    }
    for (int i = owners.size() - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      Integer swapped = owners.set(i, owners.get(other));
      owners.set(other, swapped);
    }
    List<List<Integer>> replicas = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      List<Integer> list = new ArrayList<>();
      for (int next = i; list.size() < RF; next++) {
        Integer owner = owners.get(next % owners.size());
        if (!list.contains(owner)) {
          list.add(owner);
        }
      }
      replicas.add(list);
    }
    return replicas;
  }
}
