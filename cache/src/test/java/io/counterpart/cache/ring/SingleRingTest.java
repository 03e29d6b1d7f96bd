package io.counterpart.cache.ring;

import static io.counterpart.cache.ring.Servers.server;
import static io.counterpart.cache.ring.Servers.servers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.testkit.random.SeededRandom;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class SingleRingTest {

  @Test
  void puts_parity_on_servers_without_data_of_the_stripe(Random random) {
    SingleRing ring = SingleRing.of(servers(0, 8), 100, 0);
    List<ServerId> data = List.of(server(1), server(4), server(6));

    for (int i = 0; i < 1_000; i++) {
      long position = random.nextLong();
      List<ServerId> parity = ring.parityServers(position, data, 2);
      assertThat(parity).hasSize(2).doesNotHaveDuplicates().doesNotContainAnyElementsOf(data);
      assertThat(ring.parityServers(position, data, 2)).isEqualTo(parity);
    }
    assertThat(ring.parityServers(0, data, 5)).hasSize(5);
  }

  @Test
  void moves_keys_of_affected_arcs_only(Random random) {
    SingleRing before = SingleRing.of(servers(0, 8), 100, 0);
    SingleRing after = before.with(servers(8, 2));
    List<Arc> arcs = before.arcsTo(after);

    for (int i = 0; i < 5_000; i++) {
      long hash = random.nextLong();
      Optional<Move> move = before.moves(hash, after);
      assertThat(arcs.stream().filter(arc -> arc.contains(hash)).count())
          .isEqualTo(move.stream().count());
      move.ifPresent(moved -> assertThat(servers(8, 2)).contains(moved.to()));
    }
    assertThat(after.without(servers(8, 2))).isEqualTo(before);
  }

  @Test
  void refuses_data_that_is_no_stripe_of_its_servers() {
    SingleRing ring = SingleRing.of(servers(0, 4), 10, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.parityServers(0, List.of(server(1), server(1)), 1))
        .withMessageContaining("legal: distinct ones of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.parityServers(0, List.of(server(7)), 1))
        .withMessageContaining("data chunks on [127.0.0.1:11218]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.parityServers(0, servers(0, 3), 2))
        .withMessage("2 parity chunks beside data on 3 of 4 servers, legal: 0 to 1");
  }
}
