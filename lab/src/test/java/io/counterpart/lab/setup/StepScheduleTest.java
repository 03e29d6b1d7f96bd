package io.counterpart.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.counterpart.lab.setup.StepSchedule.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepScheduleTest {
  private final StepSchedule schedule =
      new StepSchedule(List.of(new Step("start", 20), new Step("load", 10), new Step("check", 60)));

  @Test
  void begins_with_all_of_the_expected_time_left() {
    assertThat(schedule.fractionDone(Duration.ZERO)).isZero();
    assertThat(schedule.left(Duration.ZERO)).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void expects_the_rest_at_the_pace_so_far() {
    schedule.begin("start", Duration.ZERO);
    schedule.begin("load", Duration.ofSeconds(70));
    schedule.advance(0.5);

    assertThat(schedule.fractionDone(Duration.ofSeconds(80))).isCloseTo(25.0 / 90, within(1e-9));
    assertThat(schedule.left(Duration.ofSeconds(80))).isEqualTo(Duration.ofSeconds(130));
  }

  @Test
  void a_step_without_units_advances_with_time_but_never_ends_by_itself() {
    schedule.begin("start", Duration.ZERO);

    assertThat(schedule.fractionDone(Duration.ofSeconds(10))).isCloseTo(10.0 / 90, within(1e-9));
    assertThat(schedule.fractionDone(Duration.ofHours(1))).isCloseTo(19.0 / 90, within(1e-9));
  }

  @Test
  void an_unknown_label_and_a_step_gone_by_leave_the_current_step() {
    schedule.begin("load", Duration.ofSeconds(20));
    schedule.advance(0.5);

    schedule.begin("news", Duration.ofSeconds(25));
    schedule.begin("start", Duration.ofSeconds(25));

    assertThat(schedule.fractionDone(Duration.ofSeconds(25))).isCloseTo(25.0 / 90, within(1e-9));
  }

  @Test
  void equal_labels_are_told_apart_by_their_order() {
    StepSchedule twice =
        new StepSchedule(
            List.of(new Step("check", 10), new Step("wipe", 10), new Step("check", 20)));

    twice.begin("check", Duration.ZERO);
    twice.begin("wipe", Duration.ofSeconds(10));
    twice.begin("check", Duration.ofSeconds(20));

    assertThat(twice.fractionDone(Duration.ofSeconds(20))).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void refuses_a_step_without_time() {
    assertThatThrownBy(() -> new Step("load", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("step 'load', 0.0 s: must be > 0");
  }
}
