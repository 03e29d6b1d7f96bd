package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenPlanTest {

  @Test
  void two_nodes_of_two_tokens_quarter_the_ring() {
    List<List<Long>> plan = TokenPlan.plan(same(2), 2);

    assertThat(plan)
        .containsExactly(
            List.of(Long.MIN_VALUE + 1, 1L),
            List.of(Long.MIN_VALUE / 2 + 1, Long.MAX_VALUE / 2 + 2));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "5,16", "3,256", "32,256", "7,3"})
  void tokens_are_distinct_and_every_node_owns_the_same_share(int nodes, int tokens) {
    List<List<Long>> plan = TokenPlan.plan(same(nodes), tokens);

    List<Long> ring = plan.stream().flatMap(List::stream).sorted().toList();
    assertThat(ring).hasSize(nodes * tokens).doesNotHaveDuplicates();
    double even = Math.pow(2, 64) / ring.size();
    for (int i = 1; i < ring.size(); i++) {
      double distance = (double) ring.get(i) - (double) ring.get(i - 1);
      assertThat(distance / even).isBetween(0.999, 1.001);
    }
  }

  @Test
  void neighbours_on_the_ring_stand_in_different_racks() {
    List<Location> places =
        List.of(place("dc1", "a"), place("dc1", "a"), place("dc1", "b"), place("dc1", "b"));

    List<List<Long>> plan = TokenPlan.plan(places, 8);

    List<String> racks = racksAlongRing(plan, places);
    for (int i = 0; i < racks.size(); i++) {
      assertThat(racks.get(i)).isNotEqualTo(racks.get((i + 1) % racks.size()));
    }
  }

  @Test
  void each_datacenter_is_spread_evenly_by_itself() {
    List<Location> places =
        List.of(place("dc1", "a"), place("dc2", "a"), place("dc1", "a"), place("dc2", "a"));

    List<List<Long>> plan = TokenPlan.plan(places, 4);

    assertThat(plan.stream().flatMap(List::stream).toList()).doesNotHaveDuplicates();
    List<Long> second = Stream.of(plan.get(1), plan.get(3)).flatMap(List::stream).sorted().toList();
    for (int i = 1; i < second.size(); i++) {
      assertThat((double) second.get(i) - (double) second.get(i - 1))
          .isBetween(Math.pow(2, 61) * 0.999, Math.pow(2, 61) * 1.001);
    }
  }

  private static List<String> racksAlongRing(List<List<Long>> plan, List<Location> places) {
    return plan.stream()
        .flatMap(List::stream)
        .sorted()
        .map(
            token ->
                java.util.stream.IntStream.range(0, plan.size())
                    .filter(node -> plan.get(node).contains(token))
                    .mapToObj(node -> places.get(node).rack())
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  private static List<Location> same(int nodes) {
    return Collections.nCopies(nodes, Location.DEFAULT);
  }

  private static Location place(String dc, String rack) {
    return new Location(dc, rack);
  }
}
