package io.counterpart.cassandra.engine.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;

class SettledViewTest {
  private final OpOrder reads = new OpOrder();
  private volatile Object now = new Object();
  private final SettledView view = new SettledView(() -> now, reads);

  @Test
  void without_reads_any_view_is_settled() {
    assertThat(view.isSettled()).isTrue();
    now = new Object();
    assertThat(view.isSettled()).isTrue();
  }

  @Test
  void a_read_that_began_before_a_change_unsettles_until_its_end() {
    OpOrder.Group earlier = reads.start();
    now = new Object();

    assertThat(view.isSettled()).isFalse();
    assertThat(view.isSettled()).isFalse();
    earlier.close();
    assertThat(view.isSettled()).isTrue();
  }

  @Test
  void a_read_that_began_after_the_question_does_not_count() {
    OpOrder.Group earlier = reads.start();
    assertThat(view.isSettled()).isFalse();
    OpOrder.Group later = reads.start();

    earlier.close();

    assertThat(view.isSettled()).isTrue();
    later.close();
  }

  @Test
  void a_change_while_reads_are_waited_for_begins_the_wait_anew() {
    OpOrder.Group first = reads.start();
    assertThat(view.isSettled()).isFalse();
    OpOrder.Group second = reads.start();
    now = new Object();

    assertThat(view.isSettled()).isFalse();
    first.close();
    assertThat(view.isSettled()).isFalse();
    second.close();
    assertThat(view.isSettled()).isTrue();
  }

  @Test
  void a_view_that_was_waited_for_is_settled_whatever_reads_it_later() throws Exception {
    OpOrder.Group earlier = reads.start();
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(view::await);
    TimeUnit.MILLISECONDS.sleep(50);
    assertThat(waiting).isNotDone();
    earlier.close();
    waiting.get(10, TimeUnit.SECONDS);
    OpOrder.Group later = reads.start();

    assertThat(view.isSettled()).isTrue();
    later.close();
  }
}
