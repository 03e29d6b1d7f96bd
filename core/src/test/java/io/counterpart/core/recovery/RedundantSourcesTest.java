package io.counterpart.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedundantSourcesTest {
  private static final int RINGS = 300;
  private static final Set<String> ALL_UP = Set.of();

  private final long seed = Long.getLong("seed", System.nanoTime());

  @Test
  void three_nodes_give_each_others_ranges() {
    List<RecoveryStep> steps = steps(ALL_UP, range(1, "b c a"), range(2, "c a b"));

    assertThat(steps)
        .containsExactlyInAnyOrder(
            new RecoveryStep(List.of(), List.of(token(1)), Set.of("c")),
            new RecoveryStep(List.of(), List.of(token(2)), Set.of("b")));
  }

  @Test
  void own_primary_ranges_join_the_smaller_call() {
    List<RecoveryStep> steps =
        steps(ALL_UP, range(1, "b c a"), range(2, "c a b"), range(3, "a b c"), range(4, "a c b"));

    assertThat(steps).hasSize(2).allSatisfy(step -> assertThat(step.primary()).hasSize(1));
  }

  @Test
  void ranges_of_one_replica_list_stay_together() {
    List<RecoveryStep> steps =
        steps(ALL_UP, range(1, "b c a"), range(2, "c a b"), range(3, "a b c"), range(4, "a b c"));

    assertThat(steps)
        .filteredOn(step -> !step.primary().isEmpty())
        .singleElement()
        .satisfies(step -> assertThat(step.primary()).hasSize(2));
  }

  @Test
  void one_call_takes_ranges_of_many_primaries() {
    List<RecoveryStep> steps =
        steps(ALL_UP, range(1, "b r a"), range(2, "c r a"), range(3, "d r a"));

    assertThat(steps)
        .containsExactly(
            new RecoveryStep(List.of(), List.of(token(1), token(2), token(3)), Set.of("r")));
  }

  @Test
  void a_range_without_another_redundant_replica_comes_from_any_replica() {
    assertThat(steps(ALL_UP, range(1, "b a"), range(2, "a b")))
        .containsExactly(new RecoveryStep(List.of(token(2)), List.of(token(1)), Set.of()));
    assertThat(steps(Set.of("c"), range(1, "b c a")))
        .containsExactly(new RecoveryStep(List.of(), List.of(token(1)), Set.of()));
  }

  @Test
  void needs_no_names_where_the_primary_is_down() {
    assertThat(steps(Set.of("b"), range(1, "b c a")))
        .containsExactly(new RecoveryStep(List.of(), List.of(token(1)), Set.of()));
  }

  @Test
  void does_not_turn_to_another_datacenter_for_a_redundant_copy() {
    // x leads in its own datacenter, y does not
    assertThat(steps(ALL_UP, range(1, "b x y a")))
        .containsExactly(new RecoveryStep(List.of(), List.of(token(1)), Set.of()));
    assertThat(steps(ALL_UP, range(1, "x b y c a")))
        .containsExactly(new RecoveryStep(List.of(), List.of(token(1)), Set.of("c")));
  }

  @Test
  void leaves_out_what_was_restored() {
    OwnedRanges owned = owned(range(1, "b c a"), range(2, "c a b"));

    assertThat(RedundantSources.steps(owned, ALL_UP, Set.of(token(1))))
        .containsExactly(new RecoveryStep(List.of(), List.of(token(2)), Set.of("b")));
    assertThat(RedundantSources.steps(owned, ALL_UP, Set.of(token(1), token(2)))).isEmpty();
  }

  @ParameterizedTest(name = "nodes={0} tokens={1} rf={2} racks={3} → at most {4} calls")
  @CsvSource({
    "3,    4,   3, 1, 2",
    "5,    16,  3, 1, 4",
    "6,    16,  3, 3, 4",
    "7,    16,  7, 1, 2",
    "30,   16,  3, 1, 5",
    "30,   256, 3, 1, 7",
    "1000, 1,   3, 1, 3",
    "1000, 16,  3, 3, 4",
    "1000, 16,  7, 3, 4",
    "1000, 64,  3, 3, 5",
  })
  void takes_few_calls(int nodes, int tokens, int rf, int racks, int most) {
    SyntheticRing ring =
        SyntheticRing.of(nodes, tokens, Map.of("dc0", rf), racks, new Random(seed));

    OwnedRanges owned = OwnedRanges.of(ring.ranges(), "n0", ring.datacenters());

    assertThat(RedundantSources.steps(owned, ALL_UP, Set.of()))
        .as("-Dseed=%d", seed)
        .hasSizeBetween(1, most);
  }

  @Test
  void every_range_comes_once_and_from_a_redundant_copy_where_one_is_live() {
    Random random = new Random(seed);
    int named = 0;
    for (int i = 0; i < RINGS; i++) {
      SyntheticRing ring = anyRing(random);
      Set<String> down = some(ring.datacenters().keySet(), random);
      down.remove("n0");
      OwnedRanges owned = OwnedRanges.of(ring.ranges(), "n0", ring.datacenters());
      Set<TokenRange> all = new HashSet<>(owned.all().stream().map(r -> r.range()).toList());
      Set<TokenRange> done = some(all, random);

      List<RecoveryStep> steps = RedundantSources.steps(owned, down, done);

      String which = "ring " + i + " of -Dseed=" + seed;
      List<TokenRange> asked = new ArrayList<>();
      steps.forEach(step -> asked.addAll(step.all()));
      all.removeAll(done);
      assertThat(asked).as(which).containsExactlyInAnyOrderElementsOf(all);
      for (RecoveryStep step : steps) {
        named += step.sources().isEmpty() ? 0 : 1;
        assertThat(step.sources())
            .as(which)
            .doesNotContain("n0")
            .allMatch(node -> !down.contains(node));
        assertRoles(owned, step);
        for (ReplicatedRange range : owned.all()) {
          if (step.all().contains(range.range())) {
            assertSource(which, ring, down, step.sources(), range);
          }
        }
      }
    }
    assertThat(named).as("-Dseed=%d", seed).isGreaterThan(RINGS / 10);
  }

  private static void assertRoles(OwnedRanges owned, RecoveryStep step) {
    assertThat(owned.primary()).extracting(ReplicatedRange::range).containsAll(step.primary());
    assertThat(owned.redundant()).extracting(ReplicatedRange::range).containsAll(step.redundant());
  }

  /** By the definition alone: whom Cassandra may ask, and whom it should. */
  private static void assertSource(
      String which,
      SyntheticRing ring,
      Set<String> down,
      Set<String> sources,
      ReplicatedRange range) {
    String datacenter = ring.datacenters().get("n0");
    List<String> local =
        range.endpoints().stream()
            .filter(node -> datacenter.equals(ring.datacenters().get(node)))
            .toList();
    List<String> live =
        range.endpoints().stream()
            .filter(node -> !node.equals("n0") && !down.contains(node))
            .toList();
    List<String> asked =
        sources.isEmpty() ? live : live.stream().filter(sources::contains).toList();
    String primary = local.get(0);
    boolean choice =
        live.contains(primary)
            && local.stream().anyMatch(node -> !node.equals(primary) && live.contains(node));
    if (choice) {
      assertThat(asked).as("%s: %s from %s", which, range, sources).isNotEmpty();
      assertThat(asked).as("%s: %s from %s", which, range, sources).isSubsetOf(local);
      assertThat(asked).as("%s: %s from %s", which, range, sources).doesNotContain(primary);
    } else if (!sources.isEmpty()) {
      assertThat(asked).as("%s: %s from %s", which, range, sources).isNotEmpty();
      assertThat(asked).as("%s: %s from %s", which, range, sources).isSubsetOf(local);
    }
  }

  private static SyntheticRing anyRing(Random random) {
    Map<String, Integer> factors = new TreeMap<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      factors.put("dc" + i, 1 + random.nextInt(7));
    }
    int nodes = factors.size() + random.nextInt(20);
    return SyntheticRing.of(nodes, 1 + random.nextInt(8), factors, 1 + random.nextInt(3), random);
  }

  /** A few; often none. */
  private static <T> Set<T> some(Set<T> of, Random random) {
    int percent = random.nextBoolean() ? 0 : random.nextInt(60);
    Set<T> some = new HashSet<>();
    of.stream()
        .sorted(Comparator.comparing(Object::toString))
        .filter(each -> random.nextInt(100) < percent)
        .forEach(some::add);
    return some;
  }

  private static List<RecoveryStep> steps(Set<String> down, ReplicatedRange... ranges) {
    return RedundantSources.steps(owned(ranges), down, Set.of());
  }

  /** Of node a; x and y are of another datacenter than all others. */
  private static OwnedRanges owned(ReplicatedRange... ranges) {
    Map<String, String> datacenters = new TreeMap<>();
    for (ReplicatedRange range : ranges) {
      for (String node : range.endpoints()) {
        datacenters.put(node, node.equals("x") || node.equals("y") ? "dc2" : "dc1");
      }
    }
    return OwnedRanges.of(List.of(ranges), "a", datacenters);
  }

  private static ReplicatedRange range(long right, String endpoints) {
    return new ReplicatedRange(token(right), List.of(endpoints.split(" ")));
  }

  private static TokenRange token(long right) {
    return new TokenRange(right - 1, right);
  }
}
