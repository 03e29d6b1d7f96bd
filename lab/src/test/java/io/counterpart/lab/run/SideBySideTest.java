package io.counterpart.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.counterpart.lab.plan.Regime;
import io.counterpart.lab.plan.Repetition;
import io.counterpart.lab.plan.Step;
import io.counterpart.lab.workload.ConsistencyLevels;
import io.counterpart.lab.workload.OperationMix;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private static final Step LOAD = new Step.Load("load", 100, 2);
  private static final Step DRAIN = new Step.Drain("drain");

  @Test
  void blocks_take_turns_forwards_and_then_backwards_after_steps_that_all_take() {
    Step few = blocks(10, 1, 3);
    Step many = blocks(50, 1, 3);

    List<SideBySide.Turn> turns =
        SideBySide.turns(List.of(List.of(LOAD, few, DRAIN), List.of(LOAD, many, DRAIN)));

    assertThat(turns)
        .containsExactly(
            new SideBySide.Turn(0, LOAD, 0),
            new SideBySide.Turn(1, LOAD, 0),
            new SideBySide.Turn(1, many, -1),
            new SideBySide.Turn(0, few, -1),
            new SideBySide.Turn(0, few, 0),
            new SideBySide.Turn(1, many, 0),
            new SideBySide.Turn(1, many, 1),
            new SideBySide.Turn(0, few, 1),
            new SideBySide.Turn(0, few, 2),
            new SideBySide.Turn(1, many, 2),
            new SideBySide.Turn(0, DRAIN, 0),
            new SideBySide.Turn(1, DRAIN, 0));
  }

  @Test
  void a_stage_alone_takes_its_steps_in_order() {
    Step blocks = blocks(10, 0, 2);

    assertThat(SideBySide.turns(List.of(List.of(LOAD, blocks))))
        .containsExactly(
            new SideBySide.Turn(0, LOAD, 0),
            new SideBySide.Turn(0, blocks, 0),
            new SideBySide.Turn(0, blocks, 1));
  }

  @Test
  void stages_of_which_one_measures_more_are_refused() {
    assertThatThrownBy(
            () -> SideBySide.turns(List.of(List.of(blocks(10, 0, 3)), List.of(blocks(10, 0, 2)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("read (0 + 3)", "read (0 + 2)");
  }

  private static Step.Blocks blocks(int operations, int warmUps, int repeats) {
    DefaultConsistencyLevel one = DefaultConsistencyLevel.ONE;
    return new Step.Blocks(
        "read",
        OperationMix.READS,
        new ConsistencyLevels(one, one),
        new Repetition(operations, 0, warmUps, repeats),
        Regime.UNLIMITED);
  }
}
