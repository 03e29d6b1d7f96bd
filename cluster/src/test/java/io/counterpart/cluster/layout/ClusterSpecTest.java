package io.counterpart.cluster.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ClusterSpecTest {

  @Test
  void the_defaults_are_five_equal_nodes() {
    ClusterSpec spec = builder().build();

    assertThat(spec.nodes()).isEqualTo(5);
    assertThat(spec.locations()).hasSize(5).containsOnly(Location.DEFAULT);
    assertThat(spec.pluginJar()).isNull();
    assertThat(spec.home()).isAbsolute();
  }

  @Test
  void a_bad_value_is_refused_with_value_and_range() {
    refused("nodes is 0, not in 1..32", b -> b.nodes(0));
    refused("nodes is 33, not in 1..32", b -> b.nodes(33));
    refused("nodes is -1, not in 1..32", b -> b.nodes(-1));
    refused("tokens per node is 257, not in 1..256", b -> b.tokensPerNode(257));
    refused("heap megabytes is 255, not in 256..32768", b -> b.heapMegabytes(255));
    refused("1 locations for 2 nodes", b -> b.nodes(2).locations(List.of(Location.DEFAULT)));
    refused("placement is engines, legal: engines with", b -> b.placement(Placement.ENGINES));
    refused("snitch class is blank", b -> b.snitch(" "));
  }

  @Test
  void server_jars_must_be_named() {
    assertThatThrownBy(() -> ClusterSpec.builder(Path.of("x")).build())
        .hasMessageContaining("server jars");
  }

  @Test
  void bad_places_and_ports_are_refused() {
    assertThatThrownBy(() -> new Location("dc 1", "r")).hasMessageContaining("'dc 1'");
    assertThatThrownBy(() -> new Location("dc1", "")).hasMessageContaining("rack ''");
    assertThatThrownBy(() -> new Location("dc/1", "r")).hasMessageContaining("'dc/1'");
    assertThat(new Location("dc1", "s1/write").rack()).isEqualTo("s1/write");
    assertThatThrownBy(() -> new Ports(80, 7000, 7199)).hasMessageContaining("80");
    assertThatThrownBy(() -> new Ports(7000, 7000, 7199)).hasMessageContaining("both 7000");
  }

  private static void refused(String message, UnaryOperator<ClusterSpec.Builder> change) {
    assertThatThrownBy(() -> change.apply(builder()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static ClusterSpec.Builder builder() {
    return ClusterSpec.builder(Path.of("home")).serverLib(Path.of("lib"));
  }
}
