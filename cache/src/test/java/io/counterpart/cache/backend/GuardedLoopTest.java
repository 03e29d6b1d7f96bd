package io.counterpart.cache.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedLoopTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> ends = new ArrayList<>();
  private final GuardedLoop loop =
      new GuardedLoop(channel.eventLoop(), why -> ends.add(why.getMessage()));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static void fail() {
    throw new IllegalStateException("made to fail");
  }

  @Test
  void a_task_that_throws_ends_its_user() {
    loop.execute(GuardedLoopTest::fail);
    channel.runPendingTasks();

    assertThat(ends).singleElement().asString().contains("made to fail");
    assertThat(loop.isEnded()).isTrue();
  }

  @Test
  void so_does_one_that_was_scheduled() {
    loop.schedule(GuardedLoopTest::fail, 1, TimeUnit.HOURS);
    channel.advanceTimeBy(2, TimeUnit.HOURS);
    channel.runScheduledPendingTasks();

    assertThat(ends).singleElement().asString().contains("made to fail");
  }

  @Test
  void the_user_ends_once() {
    loop.run(GuardedLoopTest::fail);
    loop.run(GuardedLoopTest::fail);
    loop.end(new IOException("another reason"));

    assertThat(ends).hasSize(1);
  }

  @Test
  void a_user_that_has_ended_by_itself_is_not_ended() {
    loop.close();
    loop.run(GuardedLoopTest::fail);

    assertThat(ends).isEmpty();
    assertThat(loop.isEnded()).isTrue();
  }
}
