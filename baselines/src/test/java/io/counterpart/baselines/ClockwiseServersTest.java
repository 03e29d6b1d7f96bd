package io.counterpart.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class ClockwiseServersTest {
  private static final List<ServerId> SERVERS =
      IntStream.range(0, 8).mapToObj(i -> new ServerId("127.0.0.1:" + (11_211 + i))).toList();

  @Test
  void gives_the_server_of_a_ring_without_those_that_are_not_accepted(Random random) {
    HashRing ring = HashRing.of(SERVERS, 100, 3);
    ClockwiseServers servers = new ClockwiseServers(SERVERS, 100, 3);
    List<ServerId> without = List.of(SERVERS.get(1), SERVERS.get(4), SERVERS.get(6));

    for (int i = 0; i < 1_000; i++) {
      long position = random.nextLong();
      assertThat(servers.first(position, server -> true)).isEqualTo(ring.server(position));
      assertThat(servers.first(position, server -> !without.contains(server)))
          .isEqualTo(ring.without(without).server(position));
    }
  }

  @Test
  void refuses_to_accept_none() {
    ClockwiseServers servers = new ClockwiseServers(SERVERS, 10, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> servers.first(0, server -> false))
        .withMessage("no server is taken, legal: one at least");
  }
}
