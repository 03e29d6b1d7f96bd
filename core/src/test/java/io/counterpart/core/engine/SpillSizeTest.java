package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpillSizeTest {
  private static final FlushFacts INDEXED =
      new FlushFacts(true, false, false, false, false, false, false, false, false, false);

  @Test
  void little_goes_with_a_flush_and_much_apart() {
    assertThat(SpillSize.isMuch(SpillSize.MOST_IN_FLUSH_BYTES)).isFalse();
    assertThat(SpillSize.isMuch(SpillSize.MOST_IN_FLUSH_BYTES + 1)).isTrue();
  }

  @Test
  void rounds_end_with_little_or_after_a_few() {
    assertThat(SpillSize.goesOn(1, false)).isFalse();
    assertThat(SpillSize.goesOn(1, true)).isTrue();
    assertThat(SpillSize.goesOn(SpillSize.MOST_ROUNDS, true)).isFalse();
  }

  @Test
  void a_routine_flush_leaves_the_stores_behind() {
    FlushDecision spills = FlushDecision.of(FlushCause.ROUTINE, INDEXED);

    assertThat(spills.mayGoApart(FlushCause.ROUTINE, false)).isTrue();
    assertThat(FlushDecision.APART.spills()).isFalse();
  }

  @Test
  void a_flush_that_somebody_waits_for_takes_the_stores_along() {
    for (FlushCause cause : FlushCause.values()) {
      if (cause != FlushCause.ROUTINE) {
        assertThat(FlushDecision.of(cause, INDEXED).mayGoApart(cause, false))
            .as(cause.toString())
            .isFalse();
      }
    }
  }

  @Test
  void the_last_memtable_that_reads_the_stores_takes_them_along() {
    assertThat(FlushDecision.LEAVES.mayGoApart(FlushCause.LEAVING, false)).isFalse();
    assertThat(FlushDecision.LEAVES.mayGoApart(FlushCause.LEAVING, true)).isTrue();
  }

  @Test
  void what_is_absorbed_needs_no_spill() {
    FlushFacts nothing =
        new FlushFacts(false, false, false, false, false, false, false, false, false, false);

    assertThat(FlushDecision.of(FlushCause.ROUTINE, nothing).mayGoApart(FlushCause.ROUTINE, false))
        .isFalse();
  }

  @Test
  void who_reads_sstables_or_lets_go_of_them_waits_for_the_stores() {
    for (FlushCause cause : FlushCause.values()) {
      boolean isDrop = cause == FlushCause.DROP;
      assertThat(cause.awaitsStores(true)).isEqualTo(cause.isRefusable() || isDrop);
      assertThat(cause.awaitsStores(false)).isEqualTo(cause.isRefusable());
    }
  }
}
