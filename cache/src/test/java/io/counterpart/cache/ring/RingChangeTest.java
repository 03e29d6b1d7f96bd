package io.counterpart.cache.ring;

import static io.counterpart.cache.ring.Servers.server;
import static io.counterpart.cache.ring.Servers.servers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class RingChangeTest {

  @Test
  void spreads_servers_evenly_and_each_into_one_ring() {
    Rings rings = Rings.of(5, servers(0, 13), 100, 0);

    List<ServerId> all = new ArrayList<>();
    for (int ring = 0; ring < 5; ring++) {
      assertThat(rings.servers(ring)).hasSizeBetween(2, 3);
      for (ServerId server : rings.servers(ring)) {
        assertThat(rings.ring(server)).isEqualTo(ring);
      }
      all.addAll(rings.servers(ring));
    }

    assertThat(all).containsExactlyInAnyOrderElementsOf(servers(0, 13));
    assertThat(rings.servers()).hasSize(13);
  }

  @Test
  void adds_to_the_smallest_rings_and_moves_affected_arcs_only(Random random) {
    Rings before = Rings.of(5, servers(0, 12), 120, random.nextLong());

    Rings after = after(RingChange.add(before, servers(12, 4)));

    assertThat(servers(12, 4).stream().mapToInt(after::ring).toArray()).containsExactly(2, 3, 4, 0);
    assertThat(after.servers()).hasSize(16);
    assertThat(changed(before, after)).containsExactly(0, 2, 3, 4);
    assertThat(after.version()).isEqualTo(2);
    List<List<MovingArc>> arcs =
        IntStream.range(0, 5).mapToObj(ring -> before.arcsTo(after, ring)).toList();
    int moved = 0;
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextLong();
      List<MovingArc> holding =
          arcs.get(before.ring(hash)).stream().filter(arc -> arc.contains(hash)).toList();
      if (before.server(hash).equals(after.server(hash))) {
        assertThat(holding).isEmpty();
      } else {
        assertThat(holding).extracting(MovingArc::to).containsExactly(after.server(hash));
        assertThat(servers(12, 4)).contains(after.server(hash));
        moved++;
      }
    }
    assertThat(moved).isPositive();
  }

  /** The rings after all of a change. */
  private static Rings after(RingChange change) {
    List<Rings> waves = change.waves(1, 0);
    return waves.get(waves.size() - 1);
  }

  /** The rings with other servers. */
  private static List<Integer> changed(Rings before, Rings after) {
    return IntStream.range(0, before.count())
        .filter(ring -> !before.servers(ring).equals(after.servers(ring)))
        .boxed()
        .toList();
  }

  @Test
  void gives_back_the_same_rings_when_added_servers_are_removed(Random random) {
    Rings before = Rings.of(6, servers(0, 6 + random.nextInt(20)), 100, random.nextLong());
    List<ServerId> added = servers(100, 1 + random.nextInt(9));

    Rings larger = after(RingChange.add(before, added));
    Rings back = after(RingChange.remove(larger, added));

    assertThat(back.serversByRing()).isEqualTo(before.serversByRing());
    for (int i = 0; i < 5_000; i++) {
      long hash = random.nextLong();
      assertThat(back.server(hash)).isEqualTo(before.server(hash));
      if (!larger.server(hash).equals(back.server(hash))) {
        assertThat(added).contains(larger.server(hash));
      }
    }
  }

  @Test
  void keeps_within_each_wave_as_many_rings_as_may_change_at_once(Random random) {
    Rings before = Rings.of(8, servers(0, 16), 100, random.nextLong());
    RingChange change = RingChange.add(before, servers(16, 5));

    List<Rings> waves = change.waves(5, 1);

    assertThat(waves).extracting(Rings::version).containsExactly(2L, 3L, 4L);
    assertThat(changed(before, waves.get(0))).hasSize(2);
    assertThat(changed(waves.get(0), waves.get(1))).hasSize(2);
    assertThat(changed(waves.get(1), waves.get(2))).hasSize(1);
    assertThat(changed(before, waves.get(2))).hasSize(5);
    assertThat(waves.get(2).serversByRing()).isEqualTo(after(change).serversByRing());
  }

  @Test
  void moves_parity_by_the_ring_that_holds_it(Random random) {
    Rings before = Rings.of(3, servers(0, 3), 50, 1);
    Rings after = after(RingChange.add(before, servers(3, 1)));

    for (int i = 0; i < 1_000; i++) {
      long position = random.nextLong();
      assertThat(after.server(1, position)).isEqualTo(before.server(1, position));
      assertThat(after.server(0, position)).isIn(server(0), server(3));
    }
  }

  @Test
  void restores_rings_from_what_was_kept() {
    Rings rings = after(RingChange.add(Rings.of(3, servers(0, 7), 90, 4), servers(7, 1)));

    Rings restored = Rings.restore(rings.version(), rings.serversByRing(), 90, 4);

    assertThat(restored).isEqualTo(rings).hasSameHashCodeAs(rings);
  }

  @Test
  void refuses_what_would_leave_a_ring_empty_or_a_server_unclear() {
    Rings rings = Rings.of(3, servers(0, 4), 10, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rings.of(3, servers(0, 2), 10, 0))
        .withMessage("2 servers for 3 rings, legal: 3 and above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.remove(rings, servers(1, 1)))
        .withMessageContaining("ring 1 with 0 servers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.remove(rings, servers(9, 1)))
        .withMessageStartingWith("server 127.0.0.1:11220, legal: one of [127.0.0.1:11211,");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.remove(rings, List.of(server(0), server(0))))
        .withMessageContaining("each of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.add(rings, servers(3, 1)))
        .withMessageContaining("to add, legal: once, and none of");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.add(rings, List.of(server(8), server(8))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingChange.add(rings, List.of()))
        .withMessage("0 servers to add or remove, legal: 1 and above");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rings.restore(1, List.of(servers(0, 2), servers(1, 1)), 10, 0))
        .withMessage("server 127.0.0.1:11212 in the rings 0 and 1, legal: one ring");
  }

  @Test
  void refuses_waves_while_too_much_has_failed() {
    RingChange change = RingChange.add(Rings.of(5, servers(0, 5), 10, 0), servers(5, 1));

    assertThat(change.waves(3, 1)).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.waves(3, 2))
        .withMessage("2 failed rings with n = 5 and k = 3, legal: 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.waves(6, 0))
        .withMessage("k = 6, legal: 1 to 5");
  }
}
