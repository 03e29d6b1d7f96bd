package io.counterpart.core.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class RankingTest {
  private static final List<String> RING = List.of("a", "b", "c");
  private static final int ROWS = 10_000;
  private static final double TIE_MICROS = 20_000;

  @Test
  void primary_comes_first_and_the_others_share_the_second_place() {
    Map<String, Integer> seconds = new TreeMap<>();
    for (int row = 0; row < ROWS; row++) {
      List<String> order = Ranking.<String>empty().order(RING, hash(row));
      assertThat(order).startsWith("a").containsExactlyInAnyOrderElementsOf(RING);
      seconds.merge(order.get(1), 1, Integer::sum);
    }
    assertThat(seconds).containsOnlyKeys("b", "c");
    assertThat(seconds.get("b")).isBetween(4_800, 5_200);
  }

  @Test
  void places_of_engine_classes_go_before_the_ring_and_after_slowness() {
    Map<String, Integer> places = Map.of("a", 2, "b", 0, "c", 1);
    Ranking<String> slow = millis(Map.of("a", 5.0, "b", 200.0, "c", 5.0));
    Ranking<String> slower = millis(Map.of("a", 5.0, "b", 45.0, "c", 5.0));
    int first = 0;
    for (int row = 0; row < ROWS; row++) {
      assertThat(Ranking.<String>empty().order(RING, hash(row), places::get))
          .containsExactly("b", "c", "a");
      assertThat(slow.order(RING, hash(row), places::get)).containsExactly("c", "a", "b");
      first += slower.order(RING, hash(row), places::get).get(0).equals("b") ? 1 : 0;
      assertThat(slower.order(RING, hash(row), endpoint -> 3))
          .as("one place for all is none")
          .isEqualTo(slower.order(RING, hash(row)));
    }
    assertThat(first).as("half of the rows of a copy at 45 ms").isBetween(4_800, 5_200);
  }

  @Test
  void an_order_of_engines_is_read_from_racks() {
    EngineOrder order = EngineOrder.parse("memory,read");

    assertThat(order.place("memory")).isZero();
    assertThat(order.place("s1/read")).isEqualTo(1);
    assertThat(order.place("write")).isEqualTo(2);
    assertThat(order.place("rack1")).isEqualTo(2);
    assertThat(EngineOrder.NONE.place("memory")).isEqualTo(EngineOrder.NONE.place("rack1"));
    for (String bad : List.of("", "fast", "memory,,read", "read,read")) {
      assertThatThrownBy(() -> EngineOrder.parse(bad))
          .hasMessageStartingWith("'" + bad + "'; legal: some of [write, read, memory]");
    }
  }

  @Test
  void lan_hops_are_ties() {
    Ranking<String> ranking = millis(Map.of("a", 0.9, "b", 0.15, "c", 5.0));

    assertThat(ranking.lostShare("a", RING)).isZero();
    assertThat(ranking.lostShare("c", RING)).isZero();
  }

  @Test
  void the_slower_a_primary_the_more_of_its_rows_it_loses_and_the_same_ones_first() {
    Set<Integer> before = new HashSet<>();
    double[] millis = {5, 30, 45, 70, 120, 200};
    double[] shares = {0, 0.25, 0.5, 0.75, 1, 1};
    for (int i = 0; i < millis.length; i++) {
      Ranking<String> ranking = millis(Map.of("a", millis[i], "b", 5.0, "c", 5.0));
      Set<Integer> lost = lostRows(ranking);

      assertThat(ranking.lostShare("a", RING)).as("%s ms", millis[i]).isEqualTo(shares[i]);
      assertThat((double) lost.size() / ROWS).isBetween(shares[i] - 0.02, shares[i] + 0.02);
      // not by AssertJ, which compares each with each
      assertThat(lost.containsAll(before)).as("%s ms", millis[i]).isTrue();
      before = lost;
    }
  }

  @Test
  void rows_of_a_slow_primary_are_shared_by_the_others() {
    Ranking<String> ranking = millis(Map.of("a", 30.0, "b", 5.0, "c", 5.0));
    Map<String, Integer> firsts = new HashMap<>();
    for (int row = 0; row < ROWS; row++) {
      firsts.merge(ranking.order(RING, hash(row)).get(0), 1, Integer::sum);
    }
    assertThat(firsts.get("b")).isBetween(1_050, 1_450);
    assertThat(firsts.get("c")).isBetween(1_050, 1_450);
  }

  @Test
  void a_suspect_goes_last_and_takes_no_rows_of_others_whatever_its_score() {
    Ranking<String> ranking =
        new Ranking<>(
            Map.of(
                "a",
                new Standing(0, true),
                "b",
                new Standing(3, false),
                "c",
                new Standing(3, false)));

    for (int row = 0; row < 100; row++) {
      assertThat(ranking.order(RING, hash(row))).endsWith("a");
    }
    assertThat(ranking.lostShare("a", RING)).isOne();
    assertThat(ranking.lostShare("b", RING)).isZero();
  }

  @Test
  void order_stays_when_all_are_equally_slow_or_suspect() {
    Ranking<String> slow = millis(Map.of("a", 300.0, "b", 210.0, "c", 250.0));
    Standing suspect = new Standing(3, true);
    Ranking<String> silent = new Ranking<>(Map.of("a", suspect, "b", suspect, "c", suspect));

    assertThat(lostRows(slow)).isEmpty();
    assertThat(lostRows(silent)).isEmpty();
  }

  @Test
  void any_standings_give_an_order_of_the_same_replicas(Random random) {
    for (int i = 0; i < 2_000; i++) {
      Map<String, Standing> standings = new HashMap<>();
      for (String endpoint : RING) {
        if (random.nextInt(4) > 0) {
          standings.put(endpoint, new Standing(30 * random.nextDouble(), random.nextBoolean()));
        }
      }
      List<String> some = RING.subList(0, random.nextInt(4));
      int row = random.nextInt() >>> 1;

      List<String> order = new Ranking<>(standings).order(some, row);

      assertThat(order).containsExactlyInAnyOrderElementsOf(some);
      assertThat(new Ranking<>(standings).order(some, row)).isEqualTo(order);
    }
  }

  private static Ranking<String> millis(Map<String, Double> scores) {
    Map<String, Standing> standings = new HashMap<>();
    scores.forEach(
        (endpoint, millis) ->
            standings.put(
                endpoint, new Standing(Standing.level(1_000 * millis, TIE_MICROS), false)));
    return new Ranking<>(standings);
  }

  private static Set<Integer> lostRows(Ranking<String> ranking) {
    Set<Integer> lost = new HashSet<>();
    for (int row = 0; row < ROWS; row++) {
      if (!ranking.order(RING, hash(row)).get(0).equals("a")) {
        lost.add(row);
      }
    }
    return lost;
  }

  private static int hash(int row) {
    return new SplittableRandom(row).nextInt() >>> 1;
  }
}
