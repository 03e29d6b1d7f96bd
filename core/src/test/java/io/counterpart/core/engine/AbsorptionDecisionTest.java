package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AbsorptionDecisionTest {
  private static final FlushDecision ABSORBED =
      FlushDecision.of(
          FlushCause.ROUTINE,
          new FlushFacts(false, false, false, false, false, false, false, false, false, false));
  private static final FlushDecision SPILLED =
      FlushDecision.of(
          FlushCause.ROUTINE,
          new FlushFacts(true, false, false, false, false, false, false, false, false, false));
  private static final FlushDecision BYPASSING =
      FlushDecision.of(
          FlushCause.ROUTINE,
          new FlushFacts(false, false, false, false, false, false, false, false, false, true));
  private static final Duration DELAY = Duration.ofSeconds(60);

  @Test
  void waits_until_whoever_wanted_the_sstables_has_them() {
    assertThat(AbsorptionDecision.of(facts(0, Duration.ofSeconds(59))))
        .isEqualTo(new AbsorptionDecision(false, "the last spill is younger than 60 s"));
    assertThat(AbsorptionDecision.of(facts(0, DELAY)).absorbs()).isTrue();
    assertThat(AbsorptionDecision.of(facts(1, DELAY)))
        .isEqualTo(new AbsorptionDecision(false, "a spill is running"));
  }

  private static AbsorptionFacts facts(int spills, Duration quiet) {
    return new AbsorptionFacts(ABSORBED, true, true, spills, quiet, DELAY);
  }

  @Test
  void leaves_sstables_where_flushes_go_to_sstables() {
    assertThat(
            AbsorptionDecision.of(new AbsorptionFacts(SPILLED, true, true, 0, DELAY, DELAY))
                .reason())
        .isEqualTo("the table has an index, which engines do not support");
    assertThat(
            AbsorptionDecision.of(new AbsorptionFacts(ABSORBED, false, true, 0, DELAY, DELAY))
                .reason())
        .isEqualTo("the table is on another engine");
  }

  @Test
  void waits_for_a_server_that_is_away() {
    assertThat(AbsorptionDecision.of(new AbsorptionFacts(BYPASSING, true, true, 0, DELAY, DELAY)))
        .isEqualTo(new AbsorptionDecision(false, "the engine's server is away"));
  }

  @Test
  void obeys_the_operator() {
    assertThat(
            AbsorptionDecision.of(new AbsorptionFacts(ABSORBED, true, false, 0, DELAY, DELAY))
                .reason())
        .isEqualTo("autocompaction is disabled");
    assertThat(
            AbsorptionDecision.of(new AbsorptionFacts(ABSORBED, true, true, 0, DELAY, null))
                .reason())
        .isEqualTo("absorb_sstables_after is never");
  }
}
