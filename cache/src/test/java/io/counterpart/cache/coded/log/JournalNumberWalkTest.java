package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class JournalNumberWalkTest {
  private final List<Runnable> underWay = new ArrayList<>();
  private int ends;

  /** A journal that answers when the test says so, or at once. */
  private final class FakeJournal implements JournalNumberWalk.ServerJournal {
    private final List<Long> asked = new ArrayList<>();
    private int unanswered;
    private int mostUnanswered;
    private boolean isUsable = true;
    private boolean answersAtOnce;

    @Override
    public boolean isUsable() {
      return isUsable;
    }

    @Override
    public void ask(long number, Runnable answered) {
      asked.add(number);
      if (answersAtOnce) {
        answered.run();
        return;
      }
      unanswered++;
      mostUnanswered = Math.max(mostUnanswered, unanswered);
      underWay.add(
          () -> {
            unanswered--;
            answered.run();
          });
    }
  }

  private List<FakeJournal> journals(int count) {
    return IntStream.range(0, count).mapToObj(i -> new FakeJournal()).toList();
  }

  private void begin(long first, long end, List<FakeJournal> journals) {
    new JournalNumberWalk(new JournalNumbers(first, end), journals, () -> ends++).begin();
  }

  private static List<Long> numbers(long first, long end) {
    return LongStream.range(first, end).boxed().toList();
  }

  @Test
  void few_requests_are_under_way_and_none_is_left_out(Random random) {
    for (int servers : List.of(1, 6, 16, 40)) {
      List<FakeJournal> journals = journals(servers);
      ends = 0;
      begin(100, 600, journals);
      int most = 0;
      while (!underWay.isEmpty()) {
        most = Math.max(most, underWay.size());
        assertThat(ends).isZero();
        underWay.remove(random.nextInt(underWay.size())).run();
      }

      assertThat(ends).isEqualTo(1);
      assertThat(most).isEqualTo(Math.min(64 * servers, 1024));
      for (FakeJournal journal : journals) {
        assertThat(journal.mostUnanswered).isLessThanOrEqualTo(64);
        assertThat(journal.asked).containsExactlyElementsOf(numbers(100, 600));
      }
    }
  }

  @Test
  void a_server_that_is_lost_is_passed_over() {
    List<FakeJournal> journals = journals(3);
    journals.get(0).isUsable = false;
    begin(0, 500, journals);
    journals.get(1).isUsable = false;
    while (!underWay.isEmpty()) {
      underWay.remove(0).run();
    }

    assertThat(ends).isEqualTo(1);
    assertThat(journals.get(0).asked).isEmpty();
    assertThat(journals.get(1).asked).containsExactlyElementsOf(numbers(0, 64));
    assertThat(journals.get(2).asked).containsExactlyElementsOf(numbers(0, 500));
  }

  @Test
  void answers_that_come_at_once_do_not_pile_up_on_the_stack() {
    List<FakeJournal> journals = journals(2);
    journals.forEach(journal -> journal.answersAtOnce = true);
    begin(0, 200_000, journals);

    assertThat(ends).isEqualTo(1);
    assertThat(journals.get(1).asked).hasSize(200_000);
  }

  @Test
  void there_may_be_nothing_to_ask() {
    begin(5, 5, journals(2));
    begin(0, 5, List.of());

    assertThat(ends).isEqualTo(2);
  }
}
