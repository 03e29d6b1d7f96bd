package io.counterpart.lab.remote.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.remote.MixOptions;
import io.counterpart.lab.setup.RunRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixPlannerTest {
  private static final String STRATEGY = "io.counterpart.cassandra.placement.HeterogeneousStrategy";

  @Test
  void a_change_that_keeps_all_old_copies_is_possible() {
    MixPlan plan = planner("2,2,1", 3).plan(null, EngineMix.parse("3,2,2"));

    assertThat(plan.datacenter()).isEqualTo("dc1");
    assertThat(plan.isDone()).isFalse();
    assertThat(plan.change().isPossible()).isTrue();
    assertThat(plan.over()).isEmpty();
    assertThat(plan.own().gaining()).isNotEmpty();
  }

  /** Writes of before may be on the read nodes alone, which keep none of the copies of after. */
  @Test
  void one_that_may_lose_a_write_is_repaired_first() {
    MixPlan plan = planner("2,1,2", 1).plan("dc1", EngineMix.parse("2,2,1"));

    assertThat(plan.own().kept()).isEqualTo(1);
    assertThat(plan.change().isRepairedFirst()).isTrue();
    assertThat(plan.change().isPossible()).isTrue();
    assertThat(plan.over()).isEmpty();
  }

  /** With two servers the memory copy of some rows goes to the other one. */
  @Test
  void one_that_keeps_no_copy_goes_over_more_copies() {
    MixPlan plan = planner("2,2,1", 2).plan(null, EngineMix.parse("2,1,2"));

    assertThat(plan.own().kept()).isZero();
    assertThat(plan.change().isPossible()).isFalse();
    EngineMix over = plan.over().orElseThrow();
    assertThat(planner("2,2,1", 2).plan(null, over).change().isPossible()).isTrue();
    assertThat(planner(over.option(), 2).plan(null, EngineMix.parse("2,1,2")).change().isPossible())
        .isTrue();
  }

  @Test
  void a_mix_that_the_schema_has_is_done() {
    MixPlan plan = planner("3,2,2", 3).plan(null, EngineMix.parse("3,2,2"));

    assertThat(plan.isDone()).isTrue();
    assertThat(plan.own().gaining()).isEmpty();
  }

  @Test
  void what_cannot_be_is_refused_with_value_and_range() {
    refused(
        planner("2,2,1", 2), null, "4,4,1", "dc1: nodes of class write are 2, legal: 3 and above");
    refused(planner("2,2,1", 2), "dc2", "2,1,2", "datacenter dc2: keyspace k has copies in [dc1]");
    MixPlanner two =
        new MixPlanner(
            "k", Map.of("dc1", EngineMix.parse("2,2,2"), "dc2", EngineMix.parse("3,2,2")), ring(2));
    refused(two, null, "2,2,1", "datacenter is not named: keyspace k has copies in [");
    refused(
        two,
        "dc1",
        "2,2,1",
        "dc2, whose quorums are those of the whole keyspace: write quorum (W) + read quorum (R) is"
            + " 2 + 1 = 3, legal: 4 to 6");
  }

  /** Whose N it is does not matter where none changes. */
  @Test
  void a_datacenter_is_named_only_where_a_number_of_copies_changes() {
    EngineMix present = EngineMix.parse("2,2,1");
    MixPlanner both =
        new MixPlanner("k", Map.of("dc1", present, "dc2", present), ring(3, "dc1", "dc2"));

    MixPlan plan = both.plan(null, EngineMix.parse("2,1,2"));

    assertThat(plan.datacenter()).isEqualTo("dc1");
    assertThat(plan.datacenterOption()).isEqualTo(" --datacenter dc1");
    assertThat(plan.change().byDatacenter().get("dc2").to()).isEqualTo(EngineMix.parse("2,1,2"));
    refused(both, null, "3,2,2", "datacenter is not named: keyspace k has copies in [dc1, dc2]");
    refused(new MixPlanner("k", Map.of(), ring(3)), null, "3,2,2", "keyspace k has copies in []");
  }

  @Test
  void what_others_have_changed_since_it_was_planned_is_left_alone() {
    MixPlan plan = planner("2,2,1", 3).plan(null, EngineMix.parse("3,2,2"));

    MixedKeyspace.requireCurrent(plan, options("2", "2", "1"), ring(3), ring(3));

    for (Map<String, String> options :
        List.of(options("3", "2", "2"), options("2", "2", "2"), Map.of("class", "Simple"))) {
      assertThatThrownBy(() -> MixedKeyspace.requireCurrent(plan, options, ring(3), ring(3)))
          .as("%s", options)
          .isInstanceOf(RunRefusedException.class)
          .hasMessageContaining("keyspace k or the ring has changed");
    }
    assertThatThrownBy(
            () -> MixedKeyspace.requireCurrent(plan, options("2", "2", "1"), ring(3), ring(4)))
        .hasMessageContaining("keyspace k or the ring has changed");
  }

  /** It leads ranges that the repair was not asked for, though levels and copies are the same. */
  @Test
  void a_node_that_joins_beside_a_repair_leaves_it_undone() {
    MixPlan plan = planner("2,2,1", 3).plan(null, EngineMix.parse("3,2,2"));
    TokenRing joined =
        ring(3).with(new RingNode("dc1/s4/write", "dc1", "s4/write", List.of(9 * 1_000_003L)));
    MixPlanner after = new MixPlanner("k", Map.of("dc1", EngineMix.parse("2,2,1")), joined);
    assertThat(after.plan(null, EngineMix.parse("3,2,2"))).isEqualTo(plan);

    assertThatThrownBy(
            () -> MixedKeyspace.requireCurrent(plan, options("2", "2", "1"), ring(3), joined))
        .hasMessageContaining("the ring has changed");
    Map<String, String> altered = options("3", "2", "2");
    assertThat(MixedKeyspace.isAsAltered(plan, altered, ring(3), ring(3))).isTrue();
    assertThat(MixedKeyspace.isAsAltered(plan, altered, ring(3), joined)).isFalse();
    assertThat(MixedKeyspace.isAsAltered(plan, options("2", "2", "1"), ring(3), ring(3))).isFalse();
    assertThat(MixedKeyspace.isAsAltered(plan, Map.of(), ring(3), ring(3))).isFalse();
  }

  private static Map<String, String> options(String copies, String writes, String reads) {
    return Map.of("class", STRATEGY, "dc1", copies, "write_quorum", writes, "read_quorum", reads);
  }

  private static void refused(MixPlanner planner, String datacenter, String mix, String message) {
    assertThatThrownBy(() -> planner.plan(datacenter, EngineMix.parse(mix)))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining(message);
  }

  private static MixPlanner planner(String present, int servers) {
    return new MixPlanner("k", Map.of("dc1", EngineMix.parse(present)), ring(servers));
  }

  private static TokenRing ring(int servers) {
    return ring(servers, "dc1");
  }

  /** A node of each class on every server of every datacenter. */
  private static TokenRing ring(int servers, String... datacenters) {
    List<RingNode> nodes = new ArrayList<>();
    for (String datacenter : datacenters) {
      for (int server = 1; server <= servers; server++) {
        for (String engine : List.of("write", "read", "memory")) {
          String rack = "s" + server + "/" + engine;
          nodes.add(
              new RingNode(
                  datacenter + "/" + rack, datacenter, rack, List.of(nodes.size() * 1_000_003L)));
        }
      }
    }
    return TokenRing.of(nodes);
  }

  @Test
  void options_keep_what_does_not_change() {
    Map<String, String> options =
        Map.of("class", STRATEGY, "dc1", "2", "dc2", "0", "write_quorum", "2", "read_quorum", "1");

    assertThat(MixOptions.mixes(options)).isEqualTo(Map.of("dc1", EngineMix.parse("2,2,1")));
    assertThat(MixOptions.literal(options, "dc1", EngineMix.parse("3,2,2")))
        .isEqualTo(
            "{'class': '%s', 'dc1': '3', 'dc2': '0', 'read_quorum': '2', 'write_quorum': '2'}"
                .formatted(STRATEGY));
    assertThat(MixOptions.isMixed(Map.of("class", "SimpleStrategy"))).isFalse();
  }

  @Test
  void time_outs_are_read_as_nodes_show_them() {
    assertThat(WriteTimeout.parse("2000ms")).isEqualTo(Duration.ofSeconds(2));
    assertThat(WriteTimeout.parse("5s")).isEqualTo(Duration.ofSeconds(5));
    assertThat(WriteTimeout.parse("1m")).isEqualTo(Duration.ofMinutes(1));
    assertThat(WriteTimeout.parse("soon")).isEqualTo(Duration.ofSeconds(10));
    assertThat(WriteTimeout.parse(null)).isEqualTo(Duration.ofSeconds(10));
  }
}
