package io.counterpart.cache.coded.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final int MANY = 1_000_000;

  private int begun;

  @Test
  void rounds_that_end_at_once_take_no_stack() {
    new Rounds(
            end -> {
              begun++;
              end.accept(begun < MANY);
            })
        .begin();

    assertThat(begun).isEqualTo(MANY);
  }

  @Test
  void a_round_that_ends_later_goes_on_then() {
    List<Consumer<Boolean>> ends = new ArrayList<>();
    Rounds rounds =
        new Rounds(
            end -> {
              begun++;
              ends.add(end);
            });

    rounds.begin();
    assertThat(begun).isEqualTo(1);
    ends.get(0).accept(true);
    assertThat(begun).isEqualTo(2);
    ends.get(1).accept(false);
    assertThat(begun).isEqualTo(2);

    rounds.begin();
    assertThat(begun).as("begun once more").isEqualTo(3);
  }
}
