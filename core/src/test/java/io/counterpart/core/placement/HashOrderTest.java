package io.counterpart.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeededRandom.class)
class HashOrderTest {

  @Test
  void a_rack_without_a_name_is_a_rack() {
    Host unnamed = new Host("10.0.0.1:7000", "");
    Host named = new Host("10.0.0.2:7000", "rack1");

    assertThat(HashOrder.of(List.of(unnamed, named)).replicas(named, 2))
        .containsExactly(named, unnamed);
  }

  @Test
  void sorts_by_md5_as_an_unsigned_number() {
    // as md5sum prints them: 22c8, 2925, 2a86, 8065
    assertThat(addresses(HashOrder.of(hosts(4, 1)).hosts()))
        .containsExactly("10.0.0.1:7000", "10.0.0.3:7000", "10.0.0.2:7000", "10.0.0.4:7000");
  }

  @Test
  void does_not_depend_on_the_order_in_which_nodes_joined(Random random) {
    List<Host> shuffled = new ArrayList<>(hosts(20, 3));
    Collections.shuffle(shuffled, random);

    assertThat(HashOrder.of(shuffled).hosts()).isEqualTo(HashOrder.of(hosts(20, 3)).hosts());
  }

  @ParameterizedTest(name = "nodes={0} racks={1} rf={2}")
  @CsvSource({"1, 1, 1", "3, 1, 3", "5, 1, 3", "7, 1, 3", "7, 1, 5", "40, 1, 3"})
  void n_nodes_of_one_rack_have_n_replica_sets(int nodes, int racks, int copies) {
    HashOrder order = HashOrder.of(hosts(nodes, racks));

    Set<Set<Host>> sets = new HashSet<>();
    order.hosts().forEach(owner -> sets.add(Set.copyOf(order.replicas(owner, copies))));

    assertThat(sets).hasSize(nodes == copies ? 1 : nodes);
  }

  @Test
  void every_list_begins_with_the_owner_and_has_distinct_nodes_in_as_many_racks_as_can_be(
      Random random) {
    for (int round = 0; round < 300; round++) {
      int racks = 1 + random.nextInt(5);
      List<Host> hosts = randomRacks(1 + random.nextInt(25), racks, random);
      HashOrder order = HashOrder.of(hosts);
      int copies = 1 + random.nextInt(6);
      long inUse = hosts.stream().map(Host::rack).distinct().count();

      for (Host owner : hosts) {
        List<Host> replicas = order.replicas(owner, copies);

        assertThat(replicas).startsWith(owner).doesNotHaveDuplicates();
        assertThat(replicas).hasSize(Math.min(copies, hosts.size()));
        assertThat(replicas.stream().map(Host::rack).distinct().count())
            .isEqualTo(Math.min(inUse, replicas.size()));
      }
    }
  }

  @Test
  void a_node_that_joins_displaces_at_most_one_replica_of_each_list(Random random) {
    for (int round = 0; round < 300; round++) {
      List<Host> hosts = new ArrayList<>(randomRacks(2 + random.nextInt(20), 4, random));
      Host joining = hosts.remove(random.nextInt(hosts.size()));
      HashOrder before = HashOrder.of(hosts);
      hosts.add(joining);
      HashOrder after = HashOrder.of(hosts);
      int copies = 1 + random.nextInt(5);

      for (Host owner : before.hosts()) {
        List<Host> gained = new ArrayList<>(after.replicas(owner, copies));
        gained.removeAll(before.replicas(owner, copies));

        assertThat(gained).isSubsetOf(joining);
      }
    }
  }

  @Test
  void passes_over_a_rack_that_has_a_copy_while_others_have_none() {
    List<Host> order = HashOrder.of(hosts(4, 1)).hosts();
    List<Host> racks =
        IntStream.range(0, 4)
            .mapToObj(i -> new Host(order.get(i).address(), i < 2 ? "one" : "two"))
            .toList();

    HashOrder hashes = HashOrder.of(racks);

    assertThat(hashes.replicas(racks.get(0), 2)).containsExactly(racks.get(0), racks.get(2));
    assertThat(hashes.replicas(racks.get(3), 2)).containsExactly(racks.get(3), racks.get(0));
    assertThat(hashes.replicas(racks.get(0), 3))
        .containsExactly(racks.get(0), racks.get(1), racks.get(2));
  }

  @Test
  void refuses_what_has_no_replicas() {
    HashOrder order = HashOrder.of(hosts(3, 1));

    assertThatThrownBy(() -> order.replicas(order.hosts().get(0), 0))
        .hasMessageContaining("copies is 0, legal: 1 and above");
    assertThatThrownBy(() -> order.replicas(new Host("x:1", "r"), 1))
        .hasMessageContaining("is none of");
    assertThatThrownBy(() -> HashOrder.of(List.of(new Host("x:1", "r"), new Host("x:1", "s"))))
        .hasMessageContaining("two nodes have one address");
  }

  private static List<String> addresses(List<Host> hosts) {
    return hosts.stream().map(Host::address).collect(Collectors.toList());
  }

  private static List<Host> hosts(int count, int racks) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Host("10.0.0.%d:7000".formatted(i + 1), "rack" + i % racks))
        .toList();
  }

  private static List<Host> randomRacks(int count, int racks, Random random) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Host("10.0.1.%d:7000".formatted(i), "rack" + random.nextInt(racks)))
        .toList();
  }
}
