package io.counterpart.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.setup.Arm;
import io.counterpart.lab.workload.WorkloadSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpTest {

  @ParameterizedTest
  @CsvSource({"3000, 1000, 333", "8000, 2666, 888", "600000, 100000, 33333"})
  void loads_a_third_and_at_most_a_hundred_thousand_rows(int rows, int expected, int updates) {
    WarmUp warmUp = WarmUp.of(plan(rows)).orElseThrow();

    assertThat(warmUp.plan()).isEqualTo(new LoadPlan(WorkloadSpec.of(expected, updates, 7), 200));
  }

  @Test
  void loads_one_arm_alone_where_people_wait() {
    WarmUp warmUp = WarmUp.brief(plan(36_000)).orElseThrow();

    assertThat(warmUp.plan().workload()).isEqualTo(WorkloadSpec.of(4_500, 1_500, 7));
    assertThat(warmUp.arms(Arm.all())).extracting(Arm::name).containsExactly(Arm.DECOUPLED_L10);
    assertThat(warmUp.rebuilds()).isLessThan(WarmUp.of(plan(36_000)).orElseThrow().rebuilds());
  }

  @Test
  void leaves_small_runs_cold() {
    assertThat(WarmUp.of(plan(2_999))).isEmpty();
  }

  @Test
  void loads_one_arm_of_each_strategy() {
    WarmUp warmUp = WarmUp.of(plan(36_000)).orElseThrow();

    assertThat(warmUp.arms(Arm.all()))
        .extracting(Arm::name)
        .containsExactly(Arm.DECOUPLED_L10, Arm.LCS, Arm.UCS_T4);
    assertThat(warmUp.arms(List.of())).isEmpty();
  }

  private static LoadPlan plan(int rows) {
    return new LoadPlan(WorkloadSpec.of(rows, 10, 7), 200);
  }
}
