package io.counterpart.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.bench.FiguresOf;
import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.DemoSummary;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.Arm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoConclusionTest {
  private static final TierDemoSummary TIER =
      new TierDemoSummary("(5,3)", 10, 5_000, 1_000, 2, 900, 1_800, 5, 1_500, 10_000, 0, 0, 0, 9);

  @Test
  void ends_with_three_sentences_that_a_newcomer_understands() {
    DemoSummary summary = new DemoSummary(arms(), 0, 0, Map.of(), 0, 240_000, 200, TIER);

    assertThat(DemoConclusion.of(summary))
        .containsExactly(
            "Decoupled replicas compacted 0.16 times the bytes of LCS and 0.50 times those of"
                + " UCS T4.",
            "Compared with LCS, the load took 1.0 times the CPU and ran 1.0 times as fast, a wiped"
                + " node was restored in 1.0 times the time, and 1.0 times as many sstables remain"
                + " (than under UCS T4: 1.0 times).",
            "250,000 values were compared byte by byte, also after a Cassandra node was wiped and"
                + " 2 of 10 memcached servers were killed: 0 lost, 0 wrong, 0 unreadable.");
  }

  @Test
  void counts_losses_of_both_parts() {
    TierDemoSummary bad =
        new TierDemoSummary("(5,3)", 10, 5_000, 1_000, 2, 0, 0, 5, 0, 10_000, 1, 2, 3, 9);
    DemoSummary summary = new DemoSummary(arms(), 10, 20, Map.of(), 30, 240_000, 200, bad);

    assertThat(DemoConclusion.of(summary).get(2))
        .endsWith("killed: 11 lost, 22 wrong, 33 unreadable.");
  }

  @Test
  void does_not_mention_a_part_that_was_left_out() {
    assertThat(DemoConclusion.of(DemoSummary.NONE.with(TIER)))
        .containsExactly(
            "10,000 values were compared byte by byte, also after 2 of 10 memcached servers were"
                + " killed: 0 lost, 0 wrong, 0 unreadable.");
    assertThat(DemoConclusion.of(DemoSummary.NONE)).containsExactly("Nothing was checked.");
  }

  @Test
  void has_no_ratio_to_nothing() {
    assertThat(List.of(DemoConclusion.ratio(1, 0), DemoConclusion.ratio(1.996, 2)))
        .containsExactly("–", "1.0");
  }

  @Test
  void shows_one_column_for_each_table() {
    assertThat(DemoTable.text(arms()).lines().limit(4))
        .containsExactly(
            "                              decoupled   LCS  UCS T4",
            "----------------------------  ---------  ----  ------",
            "flushed, MB                           1     1       1",
            "compacted, MB                        80   500     160");
    assertThat(DemoTable.text(arms()).lines()).allMatch(line -> line.length() <= 80);
  }

  private static Map<String, ArmFigures> arms() {
    Map<String, ArmFigures> arms = new LinkedHashMap<>();
    arms.put(Arm.DECOUPLED_T4, FiguresOf.compaction(80e6, 1));
    arms.put(Arm.LCS, FiguresOf.compaction(500e6, 1));
    arms.put(Arm.UCS_T4, FiguresOf.compaction(160e6, 1));
    return arms;
  }
}
