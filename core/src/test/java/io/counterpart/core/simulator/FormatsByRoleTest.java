package io.counterpart.core.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.counterpart.core.runs.BatchPolicy;
import io.counterpart.core.runs.MergeAll;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bytes by role and format, counted by hand and over whole simulations. */
class FormatsByRoleTest {
  private static final double GIB = 1L << 30;
  private static final Formats FORMATS = new Formats(0.43, 0.29, 0.01, 0.1);
  private static final CostByRole.Counted IN_FORMATS = new CostByRole.Counted(FORMATS, 1024);
  private static final Layout.Uniform UNIFORM = new Layout.Uniform(Layout.Tree.UCS_T4);
  private static final Layout.Decoupled DECOUPLED =
      new Layout.Decoupled(
          Layout.Tree.UCS_T4,
          Optional.empty(),
          new BatchPolicy(20, 20, 0, Duration.ofDays(1)),
          new MergeAll(20));

  @Test
  void segments_have_the_tables_format_and_runs_that_of_redundant_copies() {
    StructureCost tree = cost(38, 0, 0);
    StructureCost log = cost(76, 6, 100);

    CostByRole roles = CostByRole.of(DECOUPLED, 3, List.of(tree, log), IN_FORMATS);

    assertThat(roles.primary().diskBytes()).isCloseTo(38 * 0.43 * GIB, within(1.0));
    assertThat(roles.redundant().diskBytes()).isCloseTo((6 * 0.43 + 70 * 0.29) * GIB, within(1.0));
    assertThat(roles.redundant().writtenBytes())
        .isCloseTo((76 * 0.43 + 100 * 0.29) * GIB, within(1.0));
  }

  @Test
  void one_tree_has_one_format_and_a_share_of_it_for_each_copy() {
    CostByRole roles = CostByRole.of(UNIFORM, 3, List.of(cost(114, 0, 50)), IN_FORMATS);

    assertThat(roles.primary().diskBytes()).isCloseTo(38 * 0.43 * GIB, within(1.0));
    assertThat(roles.redundant().diskBytes()).isCloseTo(76 * 0.43 * GIB, within(1.0));
    assertThat(roles.total().writtenBytes()).isCloseTo(164 * 0.43 * GIB, within(1.0));
  }

  @Test
  void a_filter_has_the_bits_of_its_chance() {
    assertThat(FORMATS.filterBytesPerKey() * 8).isCloseTo(9.59, within(0.01));
    assertThat(FORMATS.redundantFilterBytesPerKey() * 8).isCloseTo(4.79, within(0.01));
    assertThat(new Formats(1, 1, 1, 0.1).redundantFilterBytesPerKey()).isZero();
    assertThat(new Formats(1, 1, 0.01, 1).redundantFilterBytesPerKey()).isZero();
  }

  @Test
  void without_formats_the_roles_add_up_to_what_was_counted() {
    LayoutCost cost = simulate(Formats.UNCOMPRESSED, DECOUPLED);

    CostByRole.Bytes total = cost.byRole().total();
    assertThat(total.diskBytes()).isCloseTo(cost.diskBytes(), withinPercentage(0.001));
    assertThat(total.writtenBytes())
        .isCloseTo(cost.flushedBytes() + cost.compactedBytes(), withinPercentage(0.001));
  }

  @Test
  void formats_change_no_decision() {
    LayoutCost before = simulate(Formats.UNCOMPRESSED, DECOUPLED);
    LayoutCost after = simulate(FORMATS, DECOUPLED);

    assertThat(after.compactedBytes()).isEqualTo(before.compactedBytes());
    assertThat(after.primaryRead()).isEqualTo(before.primaryRead());
    assertThat(after.byRole().primary().diskBytes())
        .isCloseTo(0.43 * before.byRole().primary().diskBytes(), withinPercentage(0.001));
    assertThat(after.byRole().redundant().diskBytes() / before.byRole().redundant().diskBytes())
        .isBetween(0.29, 0.43);
  }

  private static LayoutCost simulate(Formats formats, Layout layout) {
    return new Simulation(
            new Cluster(5, 16, 3),
            new Workload(50_000_000, 10_000_000, 1024, 0.99),
            Storage.ofThePaper(),
            formats)
        .run(layout);
  }

  private static StructureCost cost(double diskGib, double segmentGib, double compactedGib) {
    return new StructureCost(
        diskGib * GIB,
        0,
        compactedGib * GIB,
        0,
        diskGib * GIB,
        segmentGib * GIB,
        1,
        new ReadCost(1, 1));
  }
}
