package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.placement.Host;
import io.counterpart.core.placement.OrderedPlacement;
import io.counterpart.core.placement.OrderedPlacement.Datacenter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final Path HOME = Path.of("/home");

  @Test
  void is_even_unless_told_otherwise() {
    ClusterSpec spec = ClusterSpec.builder(HOME).nodes(3).serverLib(Path.of("/lib")).build();

    assertThat(spec.placement()).isEqualTo(Placement.EVEN);
    assertThat(NodeLayout.of(spec).stream().map(NodeLayout::tokens))
        .isEqualTo(TokenPlan.plan(spec.locations(), 16));
  }

  @Test
  void ordered_tokens_are_those_of_the_addresses_with_the_storage_port() {
    ClusterSpec spec = spec(5, List.of());

    List<Host> hosts =
        IntStream.rangeClosed(1, 5)
            .mapToObj(i -> new Host("127.0.0.%d:7000".formatted(i), "rack1"))
            .toList();
    OrderedPlacement.ring(hosts, new Datacenter("dc1", 1, 1), 16)
        .nodes()
        .forEach(
            node -> {
              int index = Integer.parseInt(node.name().replaceAll(".*\\.(\\d):.*", "$1"));
              assertThat(NodeLayout.of(spec).get(index - 1).tokens()).isEqualTo(node.tokens());
            });
  }

  @Test
  void datacenters_share_no_token_and_every_node_has_its_own() {
    List<Location> places =
        IntStream.range(0, 7).mapToObj(i -> new Location("dc" + i % 2, "rack" + i % 3)).toList();

    List<Long> tokens =
        NodeLayout.of(spec(7, places)).stream().flatMap(node -> node.tokens().stream()).toList();

    assertThat(tokens).hasSize(7 * 16).doesNotHaveDuplicates();
  }

  private static ClusterSpec spec(int nodes, List<Location> places) {
    return ClusterSpec.builder(HOME)
        .nodes(nodes)
        .locations(places)
        .serverLib(Path.of("/lib"))
        .placement(Placement.POR)
        .build();
  }
}
