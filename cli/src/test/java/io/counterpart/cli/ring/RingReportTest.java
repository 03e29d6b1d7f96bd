package io.counterpart.cli.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.core.placement.HashOrderedReplication;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TableLoad;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.ClusterRing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Four nodes that quarter the ring; app keeps two copies, por two by the order of hashes. */
class RingReportTest {
  private static final long QUARTER = 1L << 62;
  private static final Replication TWO = new Replication.NetworkTopology(Map.of("dc1", 2));
  private static final TokenRing RING =
      TokenRing.of(
          List.of(
              node("10.0.0.1", -QUARTER),
              node("10.0.0.2", 0),
              node("10.0.0.3", QUARTER),
              node("10.0.0.4", Long.MAX_VALUE)));

  private final ClusterRing cluster =
      new ClusterRing(
          "mine",
          RING,
          Map.of("app", TWO, "por", new HashOrderedReplication(Map.of("dc1", 2), Map.of())),
          List.of(
              new TableLoad("app", "a", TWO, 0, Map.of("10.0.0.1", 1L << 20, "10.0.0.2", 7L)),
              new TableLoad("app", "b", TWO, 0, Map.of("10.0.0.1", 1L << 20))),
          Set.of("10.0.0.4"),
          Set.of("10.0.0.3"));

  @Test
  void has_replica_sets_shares_and_bytes_for_each_keyspace() {
    String text = RingReport.of(cluster).text();

    assertThat(text)
        .startsWith("mine: 4 nodes, 4 tokens")
        .containsPattern("app +NetworkTopologyStrategy +dc1 +2 +4 +4 +1.00 +1.00")
        .containsPattern("por +PorStrategy +dc1 +2 +4 +4 +1.00 +1.00")
        .containsPattern("app +10.0.0.1 +dc1 +r +1 +25.0 +50.0 +2.0")
        .containsPattern("por +10.0.0.1 +dc1 +r +1 +25.0 +50.0 +-")
        .contains("no answer from 10.0.0.4", "no JMX on 10.0.0.3: bytes unknown");
  }

  @Test
  void json_has_the_same() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode json = mapper.readTree(mapper.writeValueAsString(RingReport.of(cluster).json()));

    assertThat(json.at("/keyspaces/0/keyspace").asText()).isEqualTo("app");
    assertThat(json.at("/keyspaces/0/replicaSets").asInt()).isEqualTo(4);
    assertThat(json.at("/keyspaces/0/primaryImbalance").asDouble()).isBetween(0.999, 1.001);
    assertThat(json.at("/keyspaces/0/nodes/0/bytes").asLong()).isEqualTo(2L << 20);
    assertThat(json.at("/keyspaces/0/nodes/3").has("bytes")).as("unknown is absent").isFalse();
    assertThat(json.at("/silent/0").asText()).isEqualTo("10.0.0.4");
  }

  @Test
  void draws_a_band_for_each_copy_to_scale() {
    List<String> lines = RingLines.of(RING, TWO);

    assertThat(lines)
        .containsExactly(
            "primary    " + "a".repeat(18) + "b".repeat(18) + "c".repeat(18) + "d".repeat(18),
            "redundant  " + "b".repeat(18) + "c".repeat(18) + "d".repeat(18) + "a".repeat(18),
            "a 10.0.0.1  b 10.0.0.2  c 10.0.0.3  d 10.0.0.4");
  }

  @Test
  void tells_datacenters_apart_since_each_has_a_primary() {
    TokenRing two =
        TokenRing.of(
            List.of(
                node("10.0.0.1", Long.MAX_VALUE),
                new RingNode("10.1.0.1", "dc2", "r", List.of(0L)),
                new RingNode("10.1.0.2", "dc2", "r", List.of(QUARTER))));
    Replication replication = new Replication.NetworkTopology(Map.of("dc1", 1, "dc2", 2));

    assertThat(RingLines.of(two, replication))
        .containsExactly(
            "dc1 primary    " + "a".repeat(72),
            "dc2 primary    " + "b".repeat(36) + "c".repeat(18) + "b".repeat(18),
            "dc2 redundant  " + "c".repeat(36) + "b".repeat(18) + "c".repeat(18),
            "a 10.0.0.1  b 10.1.0.1  c 10.1.0.2");
    assertThat(RingSvg.of(two, replication).split("<g ", -1)).hasSize(1 + 2);
  }

  @Test
  void draws_an_arc_for_each_copy_as_svg() {
    String svg = RingSvg.of(RING, TWO);

    assertThat(svg.split("<path ", -1)).hasSize(1 + 4 * 2);
    assertThat(svg).contains("<title>25.00 % of the ring: 10.0.0.1, 10.0.0.2</title>");
    assertThat(svg).doesNotContain("NaN").endsWith("</svg>\n");
  }

  @Test
  void a_cluster_without_a_keyspace_has_a_ring_nevertheless() {
    ClusterRing empty = new ClusterRing("mine", RING, Map.of(), List.of(), Set.of(), Set.of());

    assertThat(RingReport.of(empty).text())
        .contains("primary    " + "a".repeat(18) + "b")
        .contains("no keyspace but Cassandra's own is replicated over the ring");
  }

  private static RingNode node(String name, long token) {
    return new RingNode(name, "dc1", "r", List.of(token));
  }
}
