package io.counterpart.cache.coded.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class ServersInRingsTest {
  private static final CodeShape CODE = new CodeShape(5, 3);

  @Test
  void arcs_say_which_keys_move(Random random) {
    ServerMap map = new ServersInRings(CODE, Rings.of(5, servers(0, 12), 100, 1));

    for (ServerMap after : map.adding(servers(12, 3), 0)) {
      assertArcs(map, after, random);
      map = after;
    }
    for (ServerMap after : map.removing(servers(2, 3), 0)) {
      assertArcs(map, after, random);
      map = after;
    }
  }

  @Test
  void servers_of_another_scheme_or_code_are_refused() {
    CodedSettings settings = CodedSettings.of(CODE, servers(0, 6), Path.of("metadata"));
    List<List<ServerId>> ofServers = new ArrayList<>(Collections.nCopies(69, List.of()));
    ofServers.set(3, servers(0, 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.servers(new Topology(1, ofServers, 0)))
        .withMessage("scheme ccmemcached of the metadata in metadata, legal: echash");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.servers(new Topology(1, ofServers.subList(0, 4), 0)))
        .withMessageContaining("code (5,3), legal with the metadata in metadata: (4,3)");
  }

  private static void assertArcs(ServerMap before, ServerMap after, Random random) {
    for (int i = 0; i < 2_000; i++) {
      long hash = random.nextLong();
      int ring = before.ring(hash);
      boolean moves = !before.server(hash).equals(after.server(hash));
      assertThat(
              after.movingArcs(before).stream()
                  .anyMatch(arc -> before.ring(arc.from()) == ring && arc.contains(hash)))
          .isEqualTo(moves);
    }
  }

  private static List<ServerId> servers(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> new ServerId("127.0.0.1:" + (20_000 + i)))
        .toList();
  }
}
