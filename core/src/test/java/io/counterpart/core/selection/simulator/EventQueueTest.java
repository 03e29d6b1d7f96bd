package io.counterpart.core.selection.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.selection.simulator.EventQueue.Event;
import io.counterpart.core.selection.simulator.EventQueue.Kind;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class EventQueueTest {

  @Test
  void events_come_in_the_order_of_time_and_then_of_arrival(Random random) {
    EventQueue queue = new EventQueue();
    List<Event> expected = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      Event event = new Event(random.nextInt(500), Kind.TICK, i, null);
      queue.add(event);
      expected.add(event);
    }
    expected.sort(Comparator.comparingLong(Event::at));

    List<Event> polled = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      polled.add(queue.poll());
    }
    assertThat(polled).isEqualTo(expected);
  }

  @Test
  void cache_forgets_the_row_that_was_not_read_for_longest() {
    RowCache cache = new RowCache(2);
    assertThat(cache.read(1)).isFalse();
    assertThat(cache.read(2)).isFalse();
    assertThat(cache.read(1)).isTrue();
    assertThat(cache.read(3)).isFalse();

    assertThat(cache.read(1)).isTrue();
    assertThat(cache.read(2)).isFalse();
  }
}
