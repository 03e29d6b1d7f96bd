package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ownership.CopySurvey.Verdict;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copy 1 asks whether it counts. */
@ExtendWith(SeededRandom.class)
class CopySurveyTest {
  private static final UUID TIER = UUID.randomUUID();

  /**
   * Marks of one server in each ring of a (5,3) code, such as {@code 2.1:1+2}; {@code none} for no
   * mark, {@code plain} for one without a set, {@code -} for a server that does not answer.
   */
  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource({
    "2.1:1+2 2.1:1+2 2.1:1+2 - -, COUNTS",
    "2.1:1+2 2.1:1+2 - - -, UNDECIDED",
    "2.1:2 2.1:2 2.1:2 - -, LACKS",
    "2.1:1+2 2.1:1+2 2.2:2 - -, LACKS",
    "2.2:1 2.1:2 2.1:2 - -, COUNTS",
    "3.1:2 2.9:1 2.9:1 2.9:1 2.9:1, LACKS",
    "2.1:1 2.1:1 plain - -, UNDECIDED",
    "2.1:1 2.1:1 none none none, UNDECIDED",
    "plain plain plain plain plain, UNDECIDED",
    "none none none none none, UNDECIDED",
  })
  void judges_by_the_newest_set_that_enough_rings_show(String marks, Verdict expected) {
    CopySurvey survey = new CopySurvey(new CodeShape(5, 3), 1, false);
    List<List<ServerId>> rings = new ArrayList<>();
    for (String mark : marks.split(" ")) {
      ServerId server = new ServerId("s" + rings.size());
      rings.add(List.of(server));
      if (!mark.equals("-")) {
        survey.saw(server, mark.equals("none") ? null : mark(set(mark)));
      }
    }

    assertThat(survey.verdict(rings)).isEqualTo(expected);
  }

  @Test
  void an_original_counts_once_enough_have_answered_until_a_set_without_it_is_seen() {
    List<List<ServerId>> rings =
        List.of(
            List.of(new ServerId("s0")), List.of(new ServerId("s1")), List.of(new ServerId("s2")));
    CopySurvey survey = new CopySurvey(new CodeShape(3, 2), 1, true);

    assertThat(survey.verdict(rings)).isEqualTo(Verdict.UNDECIDED);
    survey.saw(new ServerId("s0"), null);
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.UNDECIDED);
    survey.saw(new ServerId("s1"), null);
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.COUNTS);
    survey.saw(new ServerId("s0"), mark(set("1.1:1")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.COUNTS);
    survey.saw(new ServerId("s1"), mark(set("2.1:2")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.LACKS);
  }

  @Test
  void a_mark_that_is_gone_tells_nothing() {
    CopySurvey survey = new CopySurvey(new CodeShape(3, 2), 1, false);
    List<List<ServerId>> rings = new ArrayList<>();
    for (String name : List.of("s0", "s1", "s2")) {
      rings.add(List.of(new ServerId(name)));
    }
    survey.saw(new ServerId("s0"), mark(set("1.1:1+2")));
    survey.saw(new ServerId("s0"), null);
    survey.saw(new ServerId("s1"), mark(set("1.1:1+2")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.UNDECIDED);
    survey.saw(new ServerId("s2"), mark(set("1.1:1+2")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.COUNTS);
    survey.saw(new ServerId("s1"), null);
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.UNDECIDED);
    survey.saw(new ServerId("s1"), mark(set("1.1:1+2")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.COUNTS);
    survey.saw(new ServerId("s0"), mark(set("1.2:2")));
    assertThat(survey.verdict(rings)).isEqualTo(Verdict.LACKS);
  }

  /** An owner goes on with a set that all servers of any k rings show; others show older ones. */
  @Test
  void never_counts_a_copy_without_which_an_owner_went_on(Random random) {
    for (int round = 0; round < 3000; round++) {
      int n = 3 + random.nextInt(5);
      CodeShape code = new CodeShape(n, 2 + random.nextInt(n - 2));
      List<List<ServerId>> rings = new ArrayList<>();
      List<ServerId> all = new ArrayList<>();
      for (int ring = 0; ring < n; ring++) {
        List<ServerId> servers = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
          servers.add(new ServerId("s" + all.size()));
          all.add(servers.get(servers.size() - 1));
        }
        rings.add(servers);
      }
      List<Integer> order = new ArrayList<>();
      for (int ring = 0; ring < n; ring++) {
        order.add(ring);
      }
      Collections.shuffle(order, random);
      Set<ServerId> told = new TreeSet<>();
      order.subList(0, code.k()).forEach(ring -> told.addAll(rings.get(ring)));
      CopySurvey survey = new CopySurvey(code, 1, false);
      for (ServerId server : all) {
        if (random.nextInt(4) > 0) {
          survey.saw(server, mark(set(told.contains(server) ? "4.7:2" : "4.6:1+2")));
        }
        assertThat(survey.verdict(rings)).isNotEqualTo(Verdict.COUNTS);
      }
    }
  }

  private static ServerMark mark(CopySet set) {
    return ServerMark.parse(ServerMark.of(TIER, 9, 9, true, set).text());
  }

  private static CopySet set(String text) {
    if (text.equals("plain")) {
      return CopySet.NONE;
    }
    String[] parts = text.split("[.:]");
    TreeSet<Long> ids = new TreeSet<>();
    Arrays.stream(parts[2].split("\\+")).map(Long::valueOf).forEach(ids::add);
    return new CopySet(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), ids);
  }
}
