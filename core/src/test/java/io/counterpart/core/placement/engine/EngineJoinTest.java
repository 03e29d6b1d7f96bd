package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.ring.change.RingDifference;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class EngineJoinTest {
  private static final EngineQuotas THREE = EngineQuotas.of(3, 2, 2);
  private static final EngineReplication REPLICATION = new EngineReplication(Map.of("dc1", THREE));

  @Test
  void a_node_that_frees_a_server_is_refused_with_the_node_that_would_gain() {
    EngineReplication two = new EngineReplication(Map.of("dc1", new EngineQuotas(1, 1, 0)));
    TokenRing before =
        TokenRing.of(
            List.of(
                node("s1", "write", 100),
                node("s1", "read", 200),
                node("s2", "read", 300),
                node("s2", "write", 400)));

    EngineJoin verdict = EngineJoin.judge(before, node("s3", "write", 50), two);

    assertThat(verdict).isInstanceOf(EngineJoin.Unsafe.class);
    assertThat(((EngineJoin.Unsafe) verdict).gained()).containsOnlyKeys("s1-read");
  }

  /** Write on s2 takes its copies, and s2 has no place for the read copy then. */
  @Test
  void a_node_that_leaves_may_have_another_drop_its_copies() {
    TokenRing before =
        TokenRing.of(
            List.of(
                node("s1", "write", 100),
                node("s2", "write", 200),
                node("s2", "read", 300),
                node("s3", "memory", 400),
                node("s4", "read", 500)));

    assertThat(RingDifference.dropped(before, "s1-write", REPLICATION)).containsOnlyKeys("s2-read");
  }

  @Test
  void legal_tokens_let_nobody_else_gain(Random random) {
    int judged = 0;
    for (int i = 0; i < 20; i++) {
      TokenRing before = TokenRing.of(Cases.nodes(5, 3, random));
      RingNode joining = Cases.server("new", 3, random).get(random.nextInt(3));

      EngineJoin verdict = EngineJoin.judge(before, joining, REPLICATION);

      if (verdict instanceof EngineJoin.Unsafe unsafe && !unsafe.legal().isEmpty()) {
        RingNode legal = new RingNode(joining.name(), "dc1", joining.rack(), unsafe.legal());
        assertThat(EngineJoin.judge(before, legal, REPLICATION))
            .isInstanceOf(EngineJoin.Safe.class);
        assertThat(RingDifference.between(before, before.with(legal), REPLICATION).gained())
            .containsOnlyKeys(joining.name());
        judged++;
      }
    }
    assertThat(judged).isPositive();
  }

  @Test
  void legal_tokens_are_so_for_all_keyspaces(Random random) {
    EngineReplication two = new EngineReplication(Map.of("dc1", EngineQuotas.of(2, 2, 1)));
    int chosen = 0;
    for (int i = 0; i < 20; i++) {
      TokenRing before = TokenRing.of(Cases.nodes(5, 3, random));
      RingNode wanted = Cases.server("new", 3, random).get(random.nextInt(3));

      List<Long> tokens = EngineJoin.legal(before, wanted, List.of(REPLICATION, two));

      if (!tokens.isEmpty()) {
        RingNode joining = new RingNode(wanted.name(), "dc1", wanted.rack(), tokens);
        assertThat(EngineJoin.judge(before, joining, REPLICATION))
            .isInstanceOf(EngineJoin.Safe.class);
        assertThat(EngineJoin.judge(before, joining, two)).isInstanceOf(EngineJoin.Safe.class);
        chosen += tokens.size();
      }
    }
    assertThat(chosen).isPositive();
  }

  /** Cassandra waits for the verdict while the node starts. */
  @Test
  @Timeout(120)
  void a_join_of_a_large_ring_is_judged_in_a_moment(Random random) {
    TokenRing before = TokenRing.of(Cases.nodes(60, 16, random));

    EngineJoin verdict =
        EngineJoin.judge(before, Cases.server("new", 16, random).get(0), REPLICATION);

    assertThat(verdict).isNotNull();
  }

  @Test
  void a_replacement_of_the_same_class_on_the_same_server_is_safe(Random random) {
    TokenRing before = TokenRing.of(Cases.nodes(5, 3, random));
    RingNode dead = before.nodes().get(4);
    RingNode replacement = new RingNode("other", "dc1", dead.rack(), dead.tokens());

    assertThat(EngineJoin.judge(before, replacement, REPLICATION))
        .isInstanceOf(EngineJoin.Safe.class);
  }

  /** One node after another, each with tokens apart from those of its server's other nodes. */
  @Test
  void a_server_joins_a_planned_ring_without_a_refusal() {
    List<RingNode> planned = new ArrayList<>();
    EngineTokens.plan(6, THREE, 4)
        .forEach(
            (engine, perServer) -> {
              for (int s = 0; s < 6; s++) {
                planned.add(
                    new RingNode(
                        "s" + s + "-" + engine, "dc1", "s" + s + "/" + engine, perServer.get(s)));
              }
            });
    TokenRing ring = TokenRing.of(planned);
    List<Long> tokens = ring.tokens();
    for (int engine = 0; engine < 3; engine++) {
      List<Long> own = new ArrayList<>();
      for (int i = 6 * engine; i + 6 < tokens.size(); i += 18) {
        own.add(tokens.get(i) + (tokens.get(i + 1) - tokens.get(i)) / 2);
      }
      RingNode joining = node("new", EngineClass.NAMES.get(engine), own);

      assertThat(EngineJoin.judge(ring, joining, REPLICATION)).isInstanceOf(EngineJoin.Safe.class);

      ring = ring.with(joining);
    }
  }

  private static RingNode node(String server, String engine, long token) {
    return node(server, engine, List.of(token));
  }

  private static RingNode node(String server, String engine, List<Long> tokens) {
    return new RingNode(server + "-" + engine, "dc1", server + "/" + engine, tokens);
  }
}
