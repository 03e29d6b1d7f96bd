package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.placement.engine.MixChange.Asked;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeededRandom.class)
class MixChangeTest {
  private static final int CHANGES = 150;

  /** Reads and writes with where coordinators are: those of before first, then those of after. */
  @ParameterizedTest(name = "{0} to {1}, {2} nodes: writes {3}, reads {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        // old copies stay: a write's two are among the three
        "2,2,1 | 3,2,2 | 3 | ''     | QUORUM",
        // a late coordinator's read of both old copies, of which one stayed, meets a write to all
        // new
        "2,2,1 | 3,2,2 | 4 | ALL    | ALL",
        // W grows: writes at the old one during the repair would be missed by R = 1 after it
        "2,2,1 | 3,3,1 | 3 | ALL    | QUORUM",
        "2,2,1 | 3,3,1 | 4 | ALL    | ALL",
        "3,2,2 | 3,3,1 | 4 | ALL    | ALL",
        "3,2,2 | 3,3,1 | 5 | ''     | none",
        "3,3,1 | 3,2,2 | 4 | ''     | QUORUM",
        "3,2,2 | 2,2,1 | 3 | ''     | QUORUM",
        // three copies that a write waits for are not there any more
        "3,3,1 | 2,2,1 | 3 | ALL    | QUORUM",
        "4,3,2 | 4,2,3 | 5 | ''     | QUORUM",
        "4,3,2 | 4,2,3 | 6 | ''     | ALL",
        "4,3,2 | 4,2,3 | 7 | ''     | none",
        "3,1,3 | 3,3,1 | 4 | ''     | none",
        // QUORUM of now, three copies, is two of three then
        "5,3,3 | 3,2,2 | 5 | ''     | ALL",
        "4,3,2 | 3,2,2 | 4 | ''     | QUORUM",
        "3,2,2 | 5,3,3 | 5 | QUORUM | ALL",
        "1,1,1 | 1,1,1 | 1 | ''     | ONE"
      })
  void levels_by_the_nodes_that_keep_a_row_before_or_after(
      String from, String to, int most, String writes, String reads) {
    MixChange change =
        new MixChange(EngineMix.parse(from), EngineMix.parse(to), most, Set.of(), Set.of());
    KeyspaceMixChange keyspace = new KeyspaceMixChange(Map.of("dc1", change), false);
    Optional<CopyLevel> chosen = writes(keyspace);

    assertThat(chosen.map(CopyLevel::name).orElse("")).isEqualTo(writes);
    assertThat(keyspace.readLevels(chosen).stream().findFirst().map(CopyLevel::name).orElse("none"))
        .isEqualTo(reads);
    assertThat(keyspace.isPossible()).isEqualTo(!reads.equals("none"));
  }

  private static Optional<CopyLevel> writes(KeyspaceMixChange change) {
    return change.keepsWrites() ? Optional.empty() : change.writeLevels().stream().findFirst();
  }

  @Test
  void no_read_at_the_levels_misses_an_acknowledged_write(Random random) {
    int possible = 0;
    for (int i = 0; i < CHANGES; i++) {
      int servers = 2 + random.nextInt(4);
      List<RingNode> nodes = Cases.nodes(servers, 1 + random.nextInt(3), random);
      TokenRing ring = TokenRing.of(nodes);
      EngineMix from = mix(servers, random);
      EngineMix to = mix(servers, random);
      String what = "%s to %s on %d servers".formatted(from, to, servers);
      MixChange change = MixChange.of(ring, "dc1", from, to);
      KeyspaceMixChange keyspace = KeyspaceMixChange.of(Map.of("dc1", change));
      possible += change.isPossible(false) ? 1 : 0;

      assertNodes(change, ring, what);
      assertThat(keyspace.isRepairedFirst())
          .as(what)
          .isEqualTo(!change.isPossible(false) && change.kept() > 0);
      if (!change.isPossible(false)) {
        assertThat(someWriteIsMissed(change, ring, to.copies())).as(what).isTrue();
      }
      Optional<CopyLevel> writeLevel = writes(keyspace);
      Asked writes = writeLevel.map(change::asked).orElseGet(change::presentWrites);
      assertThat(keyspace.readLevels(writeLevel).isEmpty())
          .as(what)
          .isEqualTo(!change.isPossible(true));
      for (CopyLevel level : keyspace.readLevels(writeLevel)) {
        int written = keyspace.isRepairedFirst() ? writes.before() : from.writeQuorum();
        assertSafe(change, ring, change.asked(level), writes, written, what + " at " + level);
      }
      int tooFew = change.most() - from.writeQuorum();
      if (tooFew >= 1 && tooFew <= to.copies()) {
        assertThat(someWriteIsMissed(change, ring, tooFew)).as(what).isTrue();
      }
    }
    assertThat(possible).isBetween(CHANGES / 10, CHANGES - 1);
  }

  /** As many copies of each class at most as servers have nodes of it. */
  private static EngineMix mix(int servers, Random random) {
    while (true) {
      EngineQuotas quotas = Cases.quotas(5, random);
      if (Math.max(quotas.write(), Math.max(quotas.read(), quotas.memory())) <= servers) {
        int n = quotas.copies();
        return new EngineMix(n, n - quotas.read(), n - quotas.write());
      }
    }
  }

  private static void assertNodes(MixChange change, TokenRing ring, String what) {
    Set<String> gaining = new HashSet<>();
    Set<String> losing = new HashSet<>();
    int most = 0;
    for (Arc arc : arcs(change, ring)) {
      Set<String> all = new HashSet<>(arc.before);
      all.addAll(arc.after);
      most = Math.max(most, all.size());
      arc.after.stream().filter(node -> !arc.before.contains(node)).forEach(gaining::add);
      arc.before.stream().filter(node -> !arc.after.contains(node)).forEach(losing::add);
    }
    assertThat(change.most()).as(what).isEqualTo(most);
    assertThat(change.gaining()).as(what).isEqualTo(gaining);
    assertThat(change.losing()).as(what).isEqualTo(losing);
  }

  private static void assertSafe(
      MixChange change, TokenRing ring, Asked reads, Asked writes, int written, String what) {
    int after = change.to().copies();
    for (Arc arc : arcs(change, ring)) {
      // acknowledged before the change, by coordinators of before, and by those of after
      assertThat(meet(arc.before, written, arc.after, reads.after())).as(what).isTrue();
      assertThat(meet(arc.before, written, arc.before, reads.before())).as(what).isTrue();
      assertThat(meet(arc.before, writes.before(), arc.after, reads.after())).as(what).isTrue();
      assertThat(meet(arc.after, writes.after(), arc.before, reads.before())).as(what).isTrue();
      assertThat(meet(arc.after, writes.after(), arc.after, reads.after())).as(what).isTrue();
    }
    // after the repair some applications have the new levels already, and others not yet
    assertThat(writes.after() + change.to().readQuorum()).as(what).isGreaterThan(after);
    assertThat(change.to().writeQuorum() + reads.after()).as(what).isGreaterThan(after);
  }

  private static boolean someWriteIsMissed(MixChange change, TokenRing ring, int read) {
    int written = change.from().writeQuorum();
    return arcs(change, ring).stream().anyMatch(arc -> !meet(arc.before, written, arc.after, read));
  }

  /** Whether all choices of so many of both lists have a member in common, tried one by one. */
  private static boolean meet(List<String> some, int written, List<String> others, int read) {
    for (Set<String> left : choices(some, written)) {
      for (Set<String> right : choices(others, read)) {
        if (right.stream().noneMatch(left::contains)) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<Set<String>> choices(List<String> from, int size) {
    List<Set<String>> choices = new ArrayList<>();
    for (int bits = 0; bits < 1 << from.size(); bits++) {
      if (Integer.bitCount(bits) == size) {
        Set<String> choice = new HashSet<>();
        for (int i = 0; i < from.size(); i++) {
          if ((bits >> i & 1) == 1) {
            choice.add(from.get(i));
          }
        }
        choices.add(choice);
      }
    }
    return choices;
  }

  private record Arc(List<String> before, List<String> after) {}

  private static List<Arc> arcs(MixChange change, TokenRing ring) {
    List<Arc> arcs = new ArrayList<>();
    EngineReplication before = new EngineReplication(Map.of("dc1", change.from().quotas()));
    EngineReplication after = new EngineReplication(Map.of("dc1", change.to().quotas()));
    for (int i = 0; i < ring.tokens().size(); i++) {
      arcs.add(new Arc(before.replicas(ring, i), after.replicas(ring, i)));
    }
    return arcs;
  }

  /** A write of before may be on a read node alone, which keeps no copy; a repair helps. */
  @Test
  void a_repair_before_it_makes_a_change_possible_if_a_copy_stays() {
    KeyspaceMixChange repaired = KeyspaceMixChange.of(Map.of("dc1", change("3,1,3", "3,3,1", 5)));
    assertThat(repaired.isRepairedFirst()).isTrue();
    assertThat(repaired.keepsWrites()).isFalse();
    assertThat(repaired.writeLevels()).containsExactly(CopyLevel.ALL, CopyLevel.THREE);
    assertThat(repaired.readLevels(Optional.of(CopyLevel.ALL)))
        .containsExactly(CopyLevel.ALL, CopyLevel.THREE);

    KeyspaceMixChange none = KeyspaceMixChange.of(Map.of("dc1", change("3,1,3", "3,3,1", 6)));
    assertThat(none.isPossible()).isFalse();
    assertThat(none.writeLevels()).isEmpty();
  }

  @Test
  void levels_do_in_every_datacenter_and_say_where_their_copies_are() {
    MixChange grows = change("2,2,1", "3,2,2", 3);
    MixChange stays = change("3,2,2", "3,2,2", 3);
    MixChange larger = change("5,3,3", "5,3,3", 5);

    assertThat(change(Map.of("dc1", grows)).readLevels(Optional.empty()))
        .containsExactly(CopyLevel.QUORUM, CopyLevel.TWO, CopyLevel.LOCAL_QUORUM, CopyLevel.ALL);
    assertThat(change(Map.of("dc1", grows, "dc2", stays)).readLevels(Optional.empty()))
        .containsExactly(CopyLevel.LOCAL_QUORUM, CopyLevel.ALL);
    assertThat(change(Map.of("dc1", grows, "dc2", larger)).levelsAfter(true))
        .containsExactly(CopyLevel.LOCAL_QUORUM, CopyLevel.ALL);
    MixChange impossible = change("3,1,3", "3,3,1", 5);
    assertThat(change(Map.of("dc1", grows, "dc2", impossible)).isPossible()).isFalse();
  }

  private static MixChange change(String from, String to, int most) {
    return new MixChange(EngineMix.parse(from), EngineMix.parse(to), most, Set.of(), Set.of());
  }

  private static KeyspaceMixChange change(Map<String, MixChange> byDatacenter) {
    return new KeyspaceMixChange(byDatacenter, false);
  }

  @Test
  void a_covering_mix_has_the_copies_of_both() {
    assertThat(EngineMix.parse("3,1,3").covering(EngineMix.parse("3,3,1")))
        .isEqualTo(new EngineMix(5, 3, 3));
    assertThat(EngineMix.parse("2,2,1").covering(EngineMix.parse("3,2,2")).option())
        .isEqualTo("3,2,2");
  }

  @Test
  void bad_values_are_refused_with_value_and_range() {
    assertThatThrownBy(() -> EngineMix.parse("3,2"))
        .hasMessage("'3,2', legal: N,W,R such as 3,2,2");
    assertThatThrownBy(() -> EngineMix.parse("3,2,1")).hasMessageContaining("legal: 4 to 6");
    assertThatThrownBy(() -> change("2,2,1", "3,2,2", 6))
        .hasMessage("nodes with a copy before or after are 6, legal: 3 to 5");
    assertThatThrownBy(() -> KeyspaceMixChange.of(Map.of())).hasMessageContaining("legal: 1");
    assertThatThrownBy(
            () -> EngineQuotas.of(3, 2, 2).requireNodes("dc1", engine -> engine.ordinal() + 0L))
        .hasMessage(
            "dc1: nodes of class write are 0, legal: 1 and above, for copies by class write 1,"
                + " read 1, memory 1");
  }
}
