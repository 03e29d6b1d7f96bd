package io.counterpart.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.plan.Disturbance;
import io.counterpart.lab.run.PauseSchedule.Pause;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PauseScheduleTest {
  private static final Disturbance PAUSES = new Disturbance(0, 0, 5_000, 150);
  private static final int NODES = 5;

  @Test
  void is_the_same_for_every_arm_and_differs_from_repeat_to_repeat() {
    assertThat(pauses(7, 20)).isEqualTo(pauses(7, 20)).isNotEqualTo(pauses(8, 20));
  }

  @Test
  void pauses_every_node_and_stays_around_the_means() {
    List<Pause> pauses = pauses(1, 1_000);

    assertThat(pauses).extracting(Pause::node).containsOnly(0, 1, 2, 3, 4);
    assertThat(pauses).allSatisfy(p -> assertThat(p.afterMillis()).isBetween(2_500L, 7_500L));
    assertThat(pauses).allSatisfy(p -> assertThat(p.millis()).isBetween(75L, 225L));
    assertThat(pauses.stream().mapToLong(Pause::afterMillis).average().orElseThrow())
        .isBetween(4_800.0, 5_200.0);
    assertThat(pauses.stream().mapToLong(Pause::millis).average().orElseThrow())
        .isBetween(144.0, 156.0);
  }

  private static List<Pause> pauses(long seed, int count) {
    PauseSchedule schedule = new PauseSchedule(PAUSES, NODES, seed);
    return Stream.generate(schedule::next).limit(count).toList();
  }
}
