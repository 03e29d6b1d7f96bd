package io.counterpart.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.lab.setup.Arm;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchPlanTest {
  @Test
  void rotates_the_arms_from_round_to_round() {
    BenchPlan plan = new BenchPlan(1000, 0, 100, 3, 1, BenchPlan.parseArms("lcs,ucs_t4,ucs_l10"));

    assertThat(names(plan.order(0))).containsExactly("lcs", "ucs_t4", "ucs_l10");
    assertThat(names(plan.order(1))).containsExactly("ucs_t4", "ucs_l10", "lcs");
    assertThat(names(plan.order(3))).containsExactly("lcs", "ucs_t4", "ucs_l10");
  }

  @Test
  void an_arm_that_no_figure_compares_runs_once() {
    BenchPlan plan = new BenchPlan(1000, 0, 100, 3, 1, BenchPlan.parseArms("mlsm,lcs,decoupled"));

    assertThat(names(plan.order(0))).containsExactly("mlsm", "lcs", "decoupled");
    assertThat(names(plan.order(1))).containsExactly("lcs", "decoupled");
    assertThat(names(plan.order(2))).containsExactly("decoupled", "lcs");
  }

  @Test
  void an_arm_alone_runs_in_every_round() {
    BenchPlan plan = new BenchPlan(1000, 0, 100, 2, 1, BenchPlan.parseArms("mlsm"));

    assertThat(names(plan.order(1))).containsExactly("mlsm");
  }

  @Test
  void full_scale_is_at_least_what_figures_are_quoted_at() {
    BenchPlan plan = BenchPlan.ofScale("full", 1);

    assertThat(plan.rows()).isGreaterThanOrEqualTo(300_000);
    assertThat(plan.updates()).isGreaterThanOrEqualTo(100_000);
    assertThat(plan.rounds()).isEqualTo(3);
    assertThat(names(plan.arms()))
        .containsExactly("decoupled", "decoupled_t4", "lcs", "ucs_t4", "ucs_l10", "mlsm");
  }

  @Test
  void names_bad_values_and_the_legal_range() {
    assertThatThrownBy(() -> BenchPlan.parseArms("lcs,stcs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'stcs'")
        .hasMessageContaining("decoupled_t4");
    assertThatThrownBy(() -> plan(0, 3)).hasMessage("rows 0: must be 1000 to 10000000");
    assertThatThrownBy(() -> plan(1000, 10)).hasMessage("rounds 10: must be 1 to 9");
    assertThatThrownBy(() -> new BenchPlan(1000, 0, 100, 1, 1, BenchPlan.parseArms("lcs,lcs")))
        .hasMessageContaining("at most once");
  }

  @Test
  void arms_differ_in_compaction_only_and_share_the_sstable_size() {
    assertThat(Arm.all()).extracting(Arm::name).doesNotHaveDuplicates();
    assertThat(Arm.named("lcs").orElseThrow().cql())
        .isEqualTo(
            "compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '2'}"
                + " AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}");
    assertThat(Arm.all()).extracting(Arm::compression).containsOnly(Arm.all().get(0).compression());
    assertThat(Arm.all())
        .allMatch(
            arm -> arm.compaction().containsValue("2MiB") || arm.compaction().containsValue("2"));
  }

  private static BenchPlan plan(int rows, int rounds) {
    return new BenchPlan(rows, 0, 100, rounds, 1, Arm.all());
  }

  private static List<String> names(List<Arm> arms) {
    return arms.stream().map(Arm::name).toList();
  }
}
