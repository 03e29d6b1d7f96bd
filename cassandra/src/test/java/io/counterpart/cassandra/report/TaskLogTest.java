package io.counterpart.cassandra.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TaskLogTest {
  private final AtomicLong clockMillis = new AtomicLong(1000);
  private final TaskLog log = new TaskLog(clockMillis::get);

  @Test
  void a_task_runs_and_ends() {
    begin("a");
    clockMillis.addAndGet(500);

    assertThat(log.tasks())
        .singleElement()
        .returns(TaskReport.State.RUNNING, TaskReport::state)
        .returns(500L, TaskReport::durationMillis);

    log.end("a", true);
    clockMillis.addAndGet(500);

    assertThat(log.tasks())
        .singleElement()
        .returns(TaskReport.State.DONE, TaskReport::state)
        .returns(500L, TaskReport::durationMillis);
  }

  @Test
  void only_the_last_hundred_that_ended_are_kept() {
    for (int i = 0; i < 250; i++) {
      begin("task" + i);
      log.end("task" + i, i % 2 == 0);
    }
    begin("now");

    assertThat(log.tasks()).hasSize(101);
    assertThat(log.tasks().get(0).id()).isEqualTo("now");
    assertThat(log.tasks().get(1))
        .returns("task249", TaskReport::id)
        .returns(TaskReport.State.UNFINISHED, TaskReport::state);
    assertThat(log.tasks().get(100).id()).isEqualTo("task150");
  }

  @Test
  void the_end_of_an_unknown_task_is_no_task() {
    log.end("never begun", true);

    assertThat(log.tasks()).isEmpty();
  }

  private void begin(String id) {
    log.begin(new TaskLog.Start(id, "ks", "t", "SPLIT", "enough files", 3, 300));
  }
}
