package io.counterpart.cache.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerDealingTest {
  private static final int N = 5;

  /** One server of each of n machines in turn: {@code a:0,b:0,…,a:1,b:1,…}. */
  private static List<String> machineByMachine(int servers) {
    return IntStream.range(0, servers)
        .mapToObj(i -> Character.toString('a' + i % N) + ":" + i / N)
        .toList();
  }

  @ParameterizedTest(name = "shards={0} servers=5·S+{1} → {2}")
  @CsvSource({
    "1, 0, 5",
    "1, 2, 7",
    "2, 0, 5 5",
    "2, 2, 7 5",
    "3, 0, 5 5 5",
    "3, 2, 7 5 5",
    "4, 0, 5 5 5 5",
    "4, 2, 7 5 5 5",
    "4, 19, 10 10 10 9"
  })
  void each_server_goes_to_one_shard_and_each_machine_into_one_ring(
      int shards, int more, String sizes) {
    List<String> servers = machineByMachine(N * shards + more);

    List<List<String>> dealt = ServerDealing.deal(servers, N, shards);

    assertThat(dealt.stream().map(shard -> String.valueOf(shard.size())).toList())
        .isEqualTo(List.of(sizes.split(" ")));
    assertThat(dealt.stream().flatMap(List::stream).toList())
        .containsExactlyInAnyOrderElementsOf(servers);
    for (List<String> shard : dealt) {
      assertThat(shard).as("in the order given").isSortedAccordingTo(byPlace(servers));
      Rings rings = Rings.of(N, shard.stream().map(ServerId::new).toList(), 1, 1);
      for (String server : shard) {
        assertThat(rings.ring(new ServerId(server)))
            .as("ring of " + server)
            .isEqualTo(server.charAt(0) - 'a');
      }
    }
  }

  private static Comparator<String> byPlace(List<String> servers) {
    return Comparator.comparingInt(servers::indexOf);
  }

  @Test
  void too_few_servers_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerDealing.deal(machineByMachine(9), N, 2))
        .withMessage("9 servers for 2 shards of 5 rings, legal: 10 and above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerDealing.deal(List.of(), N, 1))
        .withMessage("0 servers for 1 shards of 5 rings, legal: 5 and above");
  }

  @Test
  void more_servers_go_to_the_shard_with_the_fewest() {
    List<Set<String>> servers =
        new ArrayList<>(List.of(Set.of("a", "b", "c"), Set.of("d", "e"), Set.of("f", "g")));

    assertThat(ServerDealing.toAdd(List.of("x", "y", "z"), servers)).isEqualTo(1);
    servers.set(1, Set.of("d", "e", "x"));
    assertThat(ServerDealing.toAdd(List.of("y"), servers)).isEqualTo(2);
    servers.set(2, Set.of("f", "g", "y"));
    assertThat(ServerDealing.toAdd(List.of("z"), servers)).isZero();
  }

  @Test
  void a_shard_whose_servers_are_not_known_gets_none() {
    assertThat(ServerDealing.toAdd(List.of("x"), List.of(Set.of(), Set.of("a", "b"), Set.of("c"))))
        .isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerDealing.toAdd(List.of("x"), List.of(Set.of(), Set.of())))
        .withMessage("no shard is known, legal: one that is");
  }

  @Test
  void a_server_that_a_shard_has_is_not_added() {
    List<Set<String>> servers = List.of(Set.of("a"), Set.of("b", "c"), Set.of("d", "e"));

    for (String present : List.of("a", "c", "e")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServerDealing.toAdd(List.of("x", present), servers))
          .withMessage(
              "server %s is in shard %d, legal: one that is in none",
              present, List.of("a", "c", "e").indexOf(present));
    }
  }

  @Test
  void servers_leave_the_shard_that_has_them() {
    List<Set<String>> servers = List.of(Set.of("a"), Set.of("b", "c"), Set.of("d", "e"));

    assertThat(ServerDealing.toRemove(List.of("a"), servers)).isZero();
    assertThat(ServerDealing.toRemove(List.of("c"), servers)).isEqualTo(1);
    assertThat(ServerDealing.toRemove(List.of("e", "d"), servers)).isEqualTo(2);
    for (List<String> illegal : List.of(List.of("c", "d"), List.of("x"), List.of("a", "x"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServerDealing.toRemove(illegal, servers))
          .withMessage("servers %s, legal: some of one shard, of %s", illegal, servers);
    }
  }
}
