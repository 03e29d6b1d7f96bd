package io.counterpart.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class ServersInOneRingTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  @Test
  void puts_data_on_k_servers_and_parity_on_others(Random random) {
    ServerMap map = map(servers(0, 9));

    for (int stripe = 0; stripe < 500; stripe++) {
      int ring = random.nextInt(9);
      long layout = map.layout(ring, other -> random.nextInt(3));
      assertThat(Long.bitCount(layout)).isEqualTo(3);
      assertThat(layout >>> ring & 1).isEqualTo(1);
      Set<ServerId> parity = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        ServerId server = map.parityServer(stripe, layout, i);
        assertThat(layout >>> map.ring(server) & 1).isZero();
        parity.add(server);
      }
      assertThat(parity).hasSize(2);
    }
  }

  @Test
  void a_new_stripe_takes_servers_with_few_free_slots() {
    ServerMap map = map(servers(0, 9));

    assertThat(map.layout(4, ring -> ring == 0 || ring == 7 ? 0 : 5)).isEqualTo(0b10010001);
  }

  @Test
  void another_server_moves_few_parity_chunks() {
    ServerMap before = map(servers(0, 9));
    ServerMap after = before.adding(servers(9, 1), 0).get(0);
    int moved = 0;
    for (int stripe = 0; stripe < 2_000; stripe++) {
      long layout = before.layout(stripe % 9, ring -> 0);
      for (int i = 0; i < 2; i++) {
        ServerId server = after.parityServer(stripe, layout, i);
        moved += server.equals(before.parityServer(stripe, layout, i)) ? 0 : 1;
      }
    }

    // one in 10 is expected on the new server; the ring is uneven, and a few make room
    assertThat(moved).isBetween(200, 1_000);
  }

  @Test
  void servers_keep_their_numbers_and_a_free_one_is_given_again() {
    ServerMap whole = map(servers(0, 8));
    ServerMap less = whole.removing(servers(2, 1), 0).get(0);
    ServerMap more = less.adding(servers(20, 1), 0).get(0);

    assertThat(more.version()).isEqualTo(3);
    assertThat(more.ring(server(7))).isEqualTo(whole.ring(server(7)));
    assertThat(more.ring(server(20))).isEqualTo(whole.ring(server(2)));
    assertThat(less.contains(server(2))).isFalse();
  }

  @Test
  void arcs_say_which_keys_move(Random random) {
    ServerMap before = map(servers(0, 8));
    ServerMap after = before.adding(servers(8, 1), 0).get(0);

    for (int i = 0; i < 2_000; i++) {
      long hash = random.nextLong();
      boolean moves = !before.server(hash).equals(after.server(hash));
      assertThat(after.movingArcs(before).stream().anyMatch(arc -> arc.contains(hash)))
          .isEqualTo(moves);
    }
  }

  @Test
  void an_object_may_be_in_its_old_ring_or_in_its_new_one(Random random) {
    ServerMap before = map(servers(0, 8));
    ServerMap after = before.removing(servers(2, 1), 0).get(0);

    for (int i = 0; i < 2_000; i++) {
      long hash = random.nextLong();
      assertThat(before.rings(hash)).isEqualTo(1L << before.ring(hash));
      assertThat(after.rings(hash)).isEqualTo(1L << before.ring(hash) | 1L << after.ring(hash));
    }
  }

  @Test
  void refuses_changes_that_leave_too_few_or_too_many() {
    ServerMap map = map(servers(0, 6));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.removing(servers(0, 2), 0))
        .withMessageEndingWith("leaves 4 servers, legal with code (5,3): 5 and above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.adding(servers(6, 59), 0))
        .withMessage("65 servers with the scheme ccmemcached, legal: up to 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.adding(servers(5, 1), 0))
        .withMessageContaining("twice, legal: once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.removing(List.of(), 0))
        .withMessage("0 servers to add or remove, legal: 1 and above");
  }

  private static ServerMap map(List<ServerId> servers) {
    return ServersInOneRing.of(CODE, servers);
  }

  private static ServerId server(int number) {
    return new ServerId("127.0.0.1:" + (11_211 + number));
  }

  private static List<ServerId> servers(int from, int count) {
    List<ServerId> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(server(from + i));
    }
    return servers;
  }
}
