package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.log.LogServerChoice.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogServerChoiceTest {
  private static final boolean USABLE = true;
  private static final boolean MEMORY = true;

  @Test
  void the_emptiest_journals_get_the_entries() {
    assertThat(
            choose(
                3,
                server(0, USABLE, MEMORY, 300),
                server(1, USABLE, MEMORY, 100),
                server(2, USABLE, MEMORY, 400),
                server(3, USABLE, MEMORY, 200)))
        .containsExactly(1, 3, 0);
  }

  @Test
  void no_ring_gets_two_copies() {
    assertThat(
            choose(
                3,
                server(0, USABLE, MEMORY, 0),
                server(0, USABLE, MEMORY, 1),
                server(1, USABLE, MEMORY, 500),
                server(1, USABLE, MEMORY, 400),
                server(2, USABLE, MEMORY, 900)))
        .containsExactly(0, 3, 4);
  }

  @Test
  void another_server_of_its_ring_stands_in_for_one_that_is_down() {
    assertThat(
            choose(
                2,
                server(0, !USABLE, MEMORY, 0),
                server(0, USABLE, MEMORY, 700),
                server(1, USABLE, MEMORY, 800)))
        .containsExactly(1, 2);
  }

  @Test
  void a_server_without_memory_comes_after_a_fuller_journal() {
    assertThat(
            choose(
                2,
                server(0, USABLE, !MEMORY, 0),
                server(1, USABLE, MEMORY, 900),
                server(2, USABLE, MEMORY, 800)))
        .containsExactly(2, 1);
  }

  @Test
  void servers_that_are_down_lack_the_entry_if_too_few_rings_are_left() {
    assertThat(
            choose(
                3,
                server(0, !USABLE, MEMORY, 0),
                server(1, USABLE, !MEMORY, 0),
                server(2, USABLE, MEMORY, 0)))
        .containsExactly(2, 1, 0);
  }

  @Test
  void fewer_rings_than_copies_are_all_taken() {
    assertThat(choose(3, server(0, USABLE, MEMORY, 0), server(63, USABLE, MEMORY, 0)))
        .containsExactly(0, 1);
  }

  @Test
  void a_late_server_comes_after_one_without_memory() {
    assertThat(
            choose(
                2,
                new Candidate(0, USABLE, true, MEMORY, 0),
                new Candidate(1, USABLE, false, !MEMORY, 900),
                new Candidate(2, USABLE, false, MEMORY, 900)))
        .containsExactly(2, 1);
  }

  private static Candidate server(int ring, boolean isUsable, boolean hasMemory, long bytes) {
    return new Candidate(ring, isUsable, false, hasMemory, bytes);
  }

  private static List<Integer> choose(int count, Candidate... candidates) {
    return LogServerChoice.of(List.of(candidates), count);
  }
}
