package io.counterpart.cache.ring;

import static io.counterpart.cache.ring.Servers.server;
import static io.counterpart.cache.ring.Servers.servers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeededRandom.class)
class HashRingTest {

  @ParameterizedTest
  @CsvSource({"2,100", "5,100", "9,100", "45,100", "2,200", "5,160", "9,200", "45,200"})
  void loads_no_server_much_above_the_mean(int count, int virtualNodes) {
    HashRing ring = HashRing.of(servers(0, count), virtualNodes, 0);
    Random random = new Random(count);
    int keys = 4_000 * count;
    Map<ServerId, Integer> load = new HashMap<>();

    for (int i = 0; i < keys; i++) {
      load.merge(ring.server(random.nextLong()), 1, Integer::sum);
    }

    assertThat(load).hasSize(count);
    assertThat(Collections.max(load.values()) / 4_000.0).isLessThan(1.35);
  }

  @Test
  void places_a_position_as_it_did_in_every_earlier_version() {
    HashRing ring = HashRing.of(servers(0, 9), 160, 7);
    long digest = 0;

    for (int i = 0; i < 1_000; i++) {
      ServerId owner = ring.server(i * 0x9E3779B97F4A7C15L);
      digest = digest * 31 + ring.servers().indexOf(owner);
    }

    // a changed value means that stored objects are looked for on other servers
    assertThat(Long.toHexString(digest)).isEqualTo("21fc390ee5760052");
  }

  @Test
  void depends_neither_on_order_nor_on_history(Random random) {
    List<ServerId> servers = servers(0, 12);
    HashRing ring = HashRing.of(servers, 100, 5);
    List<ServerId> shuffled = new ArrayList<>(servers);
    Collections.shuffle(shuffled, random);

    HashRing sameServers = HashRing.of(shuffled, 100, 5);
    HashRing thereAndBack = ring.with(servers(50, 3)).without(servers(50, 3));

    assertThat(sameServers).isEqualTo(ring);
    assertThat(thereAndBack).isEqualTo(ring);
    for (int i = 0; i < 10_000; i++) {
      long position = random.nextLong();
      assertThat(sameServers.server(position)).isEqualTo(ring.server(position));
      assertThat(thereAndBack.server(position)).isEqualTo(ring.server(position));
    }
  }

  @Test
  void moves_keys_to_the_new_server_only(Random random) {
    HashRing before = HashRing.of(servers(0, 8), 150, random.nextLong());
    HashRing after = before.with(List.of(server(8)));
    int moved = 0;

    for (int i = 0; i < 20_000; i++) {
      long position = random.nextLong();
      if (!before.server(position).equals(after.server(position))) {
        assertThat(after.server(position)).isEqualTo(server(8));
        moved++;
      }
    }

    assertThat(moved / 20_000.0).isBetween(1.0 / 9 * 0.6, 1.0 / 9 * 1.5);
  }

  @Test
  void gives_exactly_the_arcs_that_move(Random random) {
    HashRing before = HashRing.of(servers(0, 4), 20, random.nextLong());
    HashRing after = before.with(servers(4, 2)).without(servers(1, 1));
    List<MovingArc> arcs = before.arcsTo(after);

    for (int i = 0; i < 20_000; i++) {
      // every other position is a bound of an arc or next to it
      long position =
          i % 2 == 0 ? random.nextLong() : arcs.get(i % arcs.size()).end() + random.nextInt(3) - 1;
      List<MovingArc> holding = arcs.stream().filter(arc -> arc.contains(position)).toList();
      boolean moves = !before.server(position).equals(after.server(position));
      assertThat(holding).hasSize(moves ? 1 : 0);
      if (moves) {
        assertThat(holding.get(0).from()).isEqualTo(before.server(position));
        assertThat(holding.get(0).to()).isEqualTo(after.server(position));
      }
    }
  }

  @Test
  void joins_neighbouring_arcs_of_one_move() {
    HashRing one = HashRing.of(servers(0, 1), 100, 0);
    HashRing other = HashRing.of(servers(1, 1), 100, 0);

    assertThat(one.arcsTo(other)).hasSize(1);
    assertThat(one.arcsTo(one)).isEmpty();
  }

  @Test
  void refuses_illegal_rings() {
    HashRing ring = HashRing.of(servers(0, 2), 10, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> HashRing.of(List.of(), 10, 0))
        .withMessage("0 servers in a ring, legal: 1 and above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HashRing.of(servers(0, 1), 0, 0))
        .withMessage("0 virtual nodes, legal: 1 to 4096");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.with(servers(1, 1)))
        .withMessage("server 127.0.0.1:11212 twice, legal: once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.without(servers(2, 1)))
        .withMessageContaining("127.0.0.1:11213")
        .withMessageContaining("legal: each of [127.0.0.1:11211, 127.0.0.1:11212] once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.without(servers(0, 2)))
        .withMessageContaining("leaves 0 servers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServerId("a b"))
        .withMessage("server 'a b', legal: 1 to 255 printable ASCII characters without a space");
  }
}
