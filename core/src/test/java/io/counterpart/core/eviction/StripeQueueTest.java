package io.counterpart.core.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class StripeQueueTest {

  @Test
  void is_a_list_with_a_hand(Random random) {
    StripeQueue queue = new StripeQueue();
    List<Integer> list = new ArrayList<>();
    int hand = 0;
    for (int i = 0; i < 20_000; i++) {
      int stripe = random.nextInt(200);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (!list.contains(stripe)) {
            queue.add(stripe);
            list.add(stripe);
          }
        }
        case 2 -> {
          if (!list.contains(stripe)) {
            queue.addBehindHand(stripe);
            list.add(hand, stripe);
            hand++;
          }
        }
        case 3 -> {
          queue.pass();
          hand += hand < list.size() ? 1 : 0;
        }
        default -> {
          int at = list.indexOf(stripe);
          if (at >= 0) {
            queue.remove(stripe);
            list.remove(at);
            hand -= at < hand ? 1 : 0;
          }
        }
      }
      // beyond the young end it begins again
      hand = hand == list.size() ? 0 : hand;
      assertThat(queue.atHand()).isEqualTo(list.isEmpty() ? StripeQueue.NONE : list.get(hand));
      assertThat(queue.size()).isEqualTo(list.size());
      assertThat(queue.contains(stripe)).isEqualTo(list.contains(stripe));
    }
  }

  @Test
  void a_stripe_is_there_once() {
    StripeQueue queue = new StripeQueue();
    queue.add(7);

    assertThatThrownBy(() -> queue.add(7)).hasMessageContaining("stripe 7");
    assertThatThrownBy(() -> queue.addBehindHand(7)).hasMessageContaining("stripe 7");
    assertThatThrownBy(() -> queue.add(-1)).hasMessageContaining("stripe -1");
    assertThatThrownBy(() -> queue.remove(8)).hasMessageContaining("stripe 8");
    assertThat(queue.size()).isEqualTo(1);
  }
}
