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
  void gives_the_first_server_clockwise_that_is_taken(Random random) {
    SingleRing ring = SingleRing.of(servers(0, 8), 100, 0);
    List<ServerId> without = List.of(server(1), server(4), server(6));

    for (int i = 0; i < 1_000; i++) {
      long position = random.nextLong();
      ServerId first = ring.server(position);
      ServerId other = ring.server(position, server -> !without.contains(server));
      assertThat(without).doesNotContain(other);
      if (!without.contains(first)) {
        assertThat(other).isEqualTo(first);
      }
      assertThat(ring.without(without).server(position)).isEqualTo(other);
    }
  }

  @Test
  void moves_keys_of_affected_arcs_only(Random random) {
    SingleRing before = SingleRing.of(servers(0, 8), 100, 0);
    SingleRing after = before.with(servers(8, 2));
    List<MovingArc> arcs = before.arcsTo(after);

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
  void refuses_to_take_none_of_its_servers() {
    SingleRing ring = SingleRing.of(servers(0, 2), 10, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ring.server(0, server -> false))
        .withMessage("none of [127.0.0.1:11211, 127.0.0.1:11212] is taken, legal: one at least");
  }
}
