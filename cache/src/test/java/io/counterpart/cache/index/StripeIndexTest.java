package io.counterpart.cache.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.counterpart.testkit.random.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class StripeIndexTest {
  private final StripeIndex index = new StripeIndex();

  private record Stripe(StripeState state, int slotClass, long layout, int live) {}

  @Test
  void agrees_with_a_map_under_random_operations(Random random) {
    Map<Integer, Stripe> model = new HashMap<>();

    for (int i = 0; i < 50_000; i++) {
      int stripe = random.nextInt(3_000);
      Stripe known = model.get(stripe);
      if (known == null) {
        int slotClass = random.nextInt(SlotClasses.count());
        long layout = random.nextLong();
        boolean chosen = random.nextBoolean();
        int opened = chosen ? stripe : open(slotClass, layout);
        if (chosen) {
          index.openAt(stripe, slotClass, layout);
        }
        assertThat(model).doesNotContainKey(opened);
        model.put(opened, new Stripe(StripeState.OPEN, slotClass, layout, 0));
      } else if (known.live() > 0 || random.nextInt(3) > 0) {
        int change = random.nextBoolean() ? -known.live() : random.nextInt(1792 - known.live());
        assertThat(index.addLive(stripe, change)).isEqualTo(known.live() + change);
        model.put(
            stripe,
            new Stripe(known.state(), known.slotClass(), known.layout(), known.live() + change));
      } else if (known.state() == StripeState.OPEN) {
        index.seal(stripe);
        model.put(stripe, new Stripe(StripeState.SEALED, known.slotClass(), known.layout(), 0));
      } else {
        index.free(stripe);
        model.remove(stripe);
      }
    }

    assertThat(all()).isEqualTo(model);
    assertThat(index.size()).isEqualTo(model.size());
    assertThat(index.slotsPerChunk())
        .isEqualTo(
            model.values().stream()
                .mapToLong(stripe -> SlotClasses.slotsPerChunk(stripe.slotClass()))
                .sum());
    assertThat(model.values().stream().filter(stripe -> stripe.state() == StripeState.OPEN))
        .hasSize(index.open());
  }

  private int open(int slotClass, long layout) {
    int stripe = index.nextStripe();
    index.openAt(stripe, slotClass, layout);
    return stripe;
  }

  private Map<Integer, Stripe> all() {
    Map<Integer, Stripe> all = new HashMap<>();
    for (int i = 0; i < index.end(); i++) {
      if (index.state(i) != StripeState.FREE) {
        all.put(i, new Stripe(index.state(i), index.slotClass(i), index.layout(i), index.live(i)));
      }
    }
    return all;
  }

  @Test
  void takes_16_bytes_a_stripe() {
    for (int i = 0; i < 10_240; i++) {
      open(0, 1);
    }

    assertThat(index.bytesUsed()).isEqualTo(16L * 10_240);
  }

  @Test
  void uses_the_longest_free_number_first() {
    for (int i = 0; i < 5; i++) {
      open(0, 1);
    }
    index.free(3);
    index.free(0);
    index.free(4);

    List<Integer> opened = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      opened.add(open(0, 1));
    }

    assertThat(opened).containsExactly(3, 0, 4, 5);
    assertThat(index.open()).isEqualTo(6);
  }

  @Test
  void refuses_what_the_state_forbids() {
    int stripe = open(2, 7);
    index.addLive(stripe, 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> index.free(stripe))
        .withMessage("stripe 0 has 1 live objects, legal when freed: 0");
    assertThatIllegalStateException()
        .isThrownBy(() -> index.openAt(stripe, 0, 1))
        .withMessage("stripe 0 is OPEN, legal: FREE");
    assertThatIllegalStateException()
        .isThrownBy(() -> index.seal(9))
        .withMessage("stripe 9 is FREE, legal: OPEN");
    assertThatIllegalStateException()
        .isThrownBy(() -> index.layout(9))
        .withMessage("stripe 9 is FREE, legal: OPEN or SEALED");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> index.addLive(stripe, -2))
        .withMessage("-1 live objects in stripe 0, legal: 0 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(SlotClasses.count(), 1))
        .withMessageStartingWith("slot class " + SlotClasses.count() + ", legal: 0 to ");
    index.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> open(0, 1))
        .withMessage("the stripe index is closed");
  }

  @Test
  void tells_chunks_by_the_rings_that_hold_data() {
    DataRings layout = new DataRings(0b1_0110);

    assertThat(layout.chunks()).isEqualTo(3);
    assertThat(List.of(layout.chunk(1), layout.chunk(2), layout.chunk(4))).containsExactly(0, 1, 2);
    assertThat(List.of(layout.ring(0), layout.ring(1), layout.ring(2))).containsExactly(1, 2, 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout.chunk(3))
        .withMessage("ring 3, legal: one of 10110 in binary");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout.ring(3))
        .withMessage("chunk 3, legal: 0 to 2");
  }
}
