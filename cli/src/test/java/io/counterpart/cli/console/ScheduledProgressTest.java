package io.counterpart.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.setup.StepSchedule;
import io.counterpart.lab.setup.StepSchedule.Step;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduledProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long nanos;

  @Test
  void prints_a_line_for_each_step_where_there_is_no_terminal() {
    try (ScheduledProgress progress = progress()) {
      progress.say("starting nodes");
      nanos += 20_000_000_000L;
      progress.step("load lcs", 100).accept(50);
      progress.say("half way");
      nanos += 80_000_000_000L;
      progress.step("check", 0).accept(7);
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "[   0 s] starting nodes",
            "[  20 s] load lcs (17 % done, about 1:40 left)",
            "[  20 s] half way",
            "[ 100 s] check (83 % done, about 0:20 left)");
  }

  private ScheduledProgress progress() {
    return new ScheduledProgress(
        new PrintStream(bytes, true, StandardCharsets.UTF_8),
        false,
        new StepSchedule(
            List.of(
                new Step("starting nodes", 20), new Step("load lcs", 80), new Step("check", 20))),
        () -> nanos);
  }
}
