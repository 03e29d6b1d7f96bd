package io.counterpart.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.recovery.KeyspaceDecision.Refuse;
import io.counterpart.core.recovery.KeyspaceDecision.Restore;
import io.counterpart.core.recovery.KeyspaceDecision.Skip;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecoveryPolicyTest {
  private static final Map<String, String> ONE_DC = Map.of("a", "dc1", "b", "dc1", "c", "dc1");
  private static final Optional<Restored> NOTHING = Optional.empty();

  private static final OptionalLong UNKNOWN = OptionalLong.empty();
  private static final HeldBytes NOTHING_HELD = HeldBytes.inSSTables(0);

  private final RecoveryPolicy auto = new RecoveryPolicy(RecoveryMode.AUTO, OptionalInt.of(2));

  @Test
  void rebuilds_what_is_empty_and_repairs_what_is_not() {
    assertThat(restore(auto.decide(seen(0, Set.of()), NOTHING)).way())
        .isEqualTo(RecoveryWay.REBUILD);
    assertThat(restore(auto.decide(seen(1, Set.of()), NOTHING)).way())
        .isEqualTo(RecoveryWay.REPAIR);
  }

  @Test
  void what_is_in_stores_of_engines_counts_as_what_is_in_sstables() {
    Restored earlier = new Restored(RecoveryWay.REBUILD, Set.of(ring().get(0).range()));

    Restore intact = restore(auto.decide(seen(onEngines(0, 9), Set.of()), NOTHING));
    Restore byRank = restore(auto.decide(seen(onEngines(4, 9), Set.of()), NOTHING));
    Restore wiped = restore(auto.decide(seen(onEngines(0, 0), Set.of()), Optional.of(earlier)));
    Restore interrupted =
        restore(auto.decide(seen(onEngines(0, 9), Set.of()), Optional.of(earlier)));

    assertThat(intact.way()).isEqualTo(RecoveryWay.REPAIR);
    assertThat(intact.reason()).contains("has 9 bytes");
    assertThat(byRank.way()).isEqualTo(RecoveryWay.REPAIR);
    assertThat(byRank.reason()).contains("has 13 bytes");
    assertThat(wiped.way()).isEqualTo(RecoveryWay.REBUILD);
    assertThat(wiped.resumed()).isZero();
    assertThat(interrupted.way()).isEqualTo(RecoveryWay.REBUILD);
    assertThat(interrupted.resumed()).isEqualTo(1);
  }

  @Test
  void does_what_it_is_told_whatever_it_sees() {
    RecoveryPolicy repair = new RecoveryPolicy(RecoveryMode.REPAIR, OptionalInt.of(2));
    RecoveryPolicy rebuild = new RecoveryPolicy(RecoveryMode.REBUILD, OptionalInt.of(2));

    assertThat(restore(repair.decide(seen(0, Set.of()), NOTHING)).way())
        .isEqualTo(RecoveryWay.REPAIR);
    assertThat(restore(rebuild.decide(seen(9, Set.of()), NOTHING)).way())
        .isEqualTo(RecoveryWay.REBUILD);
  }

  @Test
  void restores_every_range_once_and_both_roles_in_every_step() {
    Restore decision = restore(auto.decide(seen(0, Set.of()), NOTHING));

    assertThat(decision.steps()).hasSize(2);
    assertThat(decision.steps())
        .allSatisfy(
            step -> {
              assertThat(step.primary()).isNotEmpty();
              assertThat(step.redundant()).isNotEmpty();
            });
    assertThat(decision.steps().stream().flatMap(step -> step.all().stream()))
        .containsExactlyInAnyOrderElementsOf(ring().stream().map(ReplicatedRange::range).toList());
  }

  @Test
  void goes_on_where_an_interrupted_rebuild_stopped() {
    TokenRange first = ring().get(0).range();
    Restored earlier = new Restored(RecoveryWay.REBUILD, Set.of(first));

    Restore decision = restore(auto.decide(seen(7, Set.of()), Optional.of(earlier)));

    assertThat(decision.way()).isEqualTo(RecoveryWay.REBUILD);
    assertThat(decision.resumed()).isEqualTo(1);
    assertThat(decision.steps().stream().flatMap(step -> step.all().stream()))
        .hasSize(ring().size() - 1)
        .doesNotContain(first);
  }

  @Test
  void begins_anew_when_the_node_was_wiped_again_or_another_way_is_asked_for() {
    Restored earlier = new Restored(RecoveryWay.REBUILD, Set.of(ring().get(0).range()));
    RecoveryPolicy repair = new RecoveryPolicy(RecoveryMode.REPAIR, OptionalInt.of(2));

    assertThat(restore(auto.decide(seen(0, Set.of()), Optional.of(earlier))).resumed()).isZero();
    assertThat(restore(repair.decide(seen(7, Set.of()), Optional.of(earlier))).resumed()).isZero();
  }

  @Test
  void has_nothing_left_to_restore_when_all_was_restored() {
    Set<TokenRange> all = Set.copyOf(ring().stream().map(ReplicatedRange::range).toList());

    Restore decision =
        restore(auto.decide(seen(7, Set.of()), Optional.of(new Restored(RecoveryWay.REPAIR, all))));

    assertThat(decision.steps()).isEmpty();
  }

  @Test
  void rebuilds_in_one_step_where_cassandra_takes_one_rebuild_only() {
    KeyspaceSituation once =
        new KeyspaceSituation(
            "ks",
            OwnedRanges.of(ring(), "a", ONE_DC),
            1,
            false,
            NOTHING_HELD,
            Set.of(),
            false,
            UNKNOWN);

    Restore decision = restore(auto.decide(once, NOTHING));

    assertThat(decision.steps()).hasSize(1);
    assertThat(decision.reason()).contains("one step");
  }

  @Test
  void
      rebuilds_tables_with_formats_by_role_from_redundant_copies_as_often_as_the_node_takes_rebuilds() {
    Restore named = restore(auto.decide(formatsByRole(0, true), NOTHING));

    assertThat(named.reason()).contains("from redundant copies");
    assertThat(named.steps())
        .extracting(RecoveryStep::sources)
        .containsExactlyInAnyOrder(Set.of("b"), Set.of("c"));
    assertThat(named.steps()).extracting(RecoveryStep::size).containsExactlyInAnyOrder(4, 2);
    assertThat(restore(auto.decide(formatsByRole(0, false), NOTHING)).steps())
        .hasSize(1)
        .allSatisfy(step -> assertThat(step.sources()).isEmpty());
    assertThat(restore(auto.decide(formatsByRole(1, true), NOTHING)).steps())
        .as("of a repair")
        .allSatisfy(step -> assertThat(step.sources()).isEmpty());
  }

  @Test
  void steps_are_shared_among_sets_of_sources() {
    RecoveryPolicy four = new RecoveryPolicy(RecoveryMode.AUTO, OptionalInt.of(4));

    List<RecoveryStep> steps = restore(four.decide(formatsByRole(0, true), NOTHING)).steps();

    // a call of four ranges, two of them the node's own, and one of two
    assertThat(steps).extracting(RecoveryStep::size).containsExactlyInAnyOrder(2, 2, 2);
    assertThat(steps).extracting(RecoveryStep::sources).contains(Set.of("b"), Set.of("c"));
  }

  @Test
  void refuses_a_repair_with_a_replica_down_but_not_a_rebuild_from_the_others() {
    assertThat(auto.decide(seen(1, Set.of("b")), NOTHING))
        .isInstanceOfSatisfying(
            Refuse.class, refused -> assertThat(refused.reason()).contains("[b]"));
    assertThat(restore(auto.decide(seen(0, Set.of("b")), NOTHING)).way())
        .isEqualTo(RecoveryWay.REBUILD);
    assertThat(auto.decide(seen(0, Set.of("b", "c")), NOTHING))
        .isInstanceOfSatisfying(
            Refuse.class, refused -> assertThat(refused.reason()).contains("no live node"));
  }

  @Test
  void skips_what_has_no_second_copy_no_table_or_no_range() {
    List<ReplicatedRange> alone = List.of(new ReplicatedRange(new TokenRange(1, 2), List.of("a")));
    List<ReplicatedRange> elsewhere =
        List.of(new ReplicatedRange(new TokenRange(1, 2), List.of("b", "c")));

    assertThat(auto.decide(situation(alone, 1), NOTHING))
        .isInstanceOfSatisfying(
            Skip.class, skip -> assertThat(skip.reason()).contains("replication factor is 1"));
    assertThat(auto.decide(situation(ring(), 0), NOTHING))
        .isInstanceOfSatisfying(Skip.class, skip -> assertThat(skip.reason()).contains("no table"));
    assertThat(auto.decide(situation(elsewhere, 1), NOTHING))
        .isInstanceOfSatisfying(Skip.class, skip -> assertThat(skip.reason()).contains("no range"));
  }

  @Test
  void only_verifies_what_a_replacement_has_streamed() {
    RecoveryPolicy replace = new RecoveryPolicy(RecoveryMode.REPLACE, OptionalInt.of(2));

    assertThat(restore(replace.decide(seen(9, Set.of()), NOTHING)).steps()).isEmpty();
  }

  @Test
  void refuses_step_counts_out_of_range() {
    assertThatThrownBy(() -> new RecoveryPolicy(RecoveryMode.AUTO, OptionalInt.of(0)))
        .hasMessage("steps is 0, not in 1..256");
    assertThatThrownBy(() -> new RecoveryPolicy(RecoveryMode.AUTO, OptionalInt.of(257)))
        .hasMessageContaining("257");
  }

  @Test
  void steps_follow_what_other_nodes_hold() {
    RecoveryPolicy bySize = RecoveryPolicy.of(RecoveryMode.AUTO);

    assertThat(steps(bySize, OptionalLong.of(300L << 20))).isEqualTo(1);
    assertThat(steps(bySize, OptionalLong.of(5L << 29))).isEqualTo(3);
    // six ranges: two of a's own, four redundant
    assertThat(steps(bySize, OptionalLong.of(1L << 40))).isEqualTo(4);
    assertThat(steps(bySize, UNKNOWN)).isEqualTo(4);
    assertThat(steps(auto, OptionalLong.of(1L << 40))).isEqualTo(2);
  }

  /** Gossip tells what others have in sstables alone. */
  @Test
  void steps_of_tables_on_engines_follow_the_larger_of_what_the_node_and_the_others_hold() {
    RecoveryPolicy bySize = RecoveryPolicy.of(RecoveryMode.AUTO);
    OptionalLong little = OptionalLong.of(5);
    HeldBytes small = onEngines(0, 7);

    assertThat(steps(bySize, small, little)).isEqualTo(1);
    assertThat(steps(bySize, onEngines(1L << 30, 1L << 30), little)).isEqualTo(3);
    assertThat(steps(bySize, small, OptionalLong.of(5L << 29))).isEqualTo(3);
    assertThat(steps(bySize, onEngines(0, 0), little)).as("as many as unsized").isEqualTo(4);
    assertThat(steps(bySize, small, UNKNOWN)).isEqualTo(4);
  }

  private static int steps(RecoveryPolicy policy, OptionalLong bytesOfOthers) {
    return steps(policy, NOTHING_HELD, bytesOfOthers);
  }

  private static int steps(RecoveryPolicy policy, HeldBytes held, OptionalLong bytesOfOthers) {
    KeyspaceSituation seen =
        new KeyspaceSituation(
            "ks",
            OwnedRanges.of(ring(), "a", ONE_DC),
            1,
            false,
            held,
            Set.of(),
            true,
            bytesOfOthers);
    return restore(policy.decide(seen, NOTHING)).steps().size();
  }

  private static Restore restore(KeyspaceDecision decision) {
    assertThat(decision).isInstanceOf(Restore.class);
    return (Restore) decision;
  }

  private static KeyspaceSituation seen(long bytes, Set<String> unreachable) {
    return seen(HeldBytes.inSSTables(bytes), unreachable);
  }

  private static KeyspaceSituation seen(HeldBytes held, Set<String> unreachable) {
    return new KeyspaceSituation(
        "ks", OwnedRanges.of(ring(), "a", ONE_DC), 1, false, held, unreachable, true, UNKNOWN);
  }

  private static HeldBytes onEngines(long sstableBytes, long engineBytes) {
    return new HeldBytes(sstableBytes, OptionalLong.of(engineBytes));
  }

  private static KeyspaceSituation formatsByRole(long bytes, boolean rebuildsRepeatedly) {
    return new KeyspaceSituation(
        "ks",
        OwnedRanges.of(ring(), "a", ONE_DC),
        1,
        true,
        HeldBytes.inSSTables(bytes),
        Set.of(),
        rebuildsRepeatedly,
        UNKNOWN);
  }

  private static KeyspaceSituation situation(List<ReplicatedRange> ring, int tables) {
    return new KeyspaceSituation(
        "ks",
        OwnedRanges.of(ring, "a", ONE_DC),
        tables,
        false,
        NOTHING_HELD,
        Set.of(),
        true,
        UNKNOWN);
  }

  /** Six ranges of RF 3: two of node a's own, four redundant. */
  private static List<ReplicatedRange> ring() {
    List<List<String>> orders =
        List.of(List.of("a", "b", "c"), List.of("b", "c", "a"), List.of("c", "a", "b"));
    return Stream.iterate(0, i -> i + 1)
        .limit(6)
        .map(
            i ->
                new ReplicatedRange(
                    new TokenRange(i == 0 ? 500 : (i - 1) * 100L, i * 100L), orders.get(i % 3)))
        .toList();
  }
}
