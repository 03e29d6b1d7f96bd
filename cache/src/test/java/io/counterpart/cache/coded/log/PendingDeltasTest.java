package io.counterpart.cache.coded.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.stripe.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingDeltasTest {
  private static final byte[] DELTA = {1, 2, 3};

  private final PendingDeltas pending = new PendingDeltas();

  /** An earlier process's delta needs that process's journals, whatever is written after it. */
  @Test
  void a_later_write_does_not_protect_an_earlier_delta() {
    JournalItem later = new JournalItem(null, 7);
    pending.add(new Place(3, 0, 0), DELTA, List.of());
    pending.add(new Place(3, 0, 1), DELTA, List.of(later));
    pending.add(new Place(4, 0, 0), DELTA, List.of(later));

    assertThat(pending.hasUnjournalled()).isTrue();
    assertThat(pending.unjournalledStripes()).containsExactly(3);
    assertThat(pending.remove(3)).containsExactly(later);
    assertThat(pending.hasUnjournalled()).isFalse();
    assertThat(pending.unjournalledStripes()).isEmpty();
  }

  /** Until the seal of the stripe is durable, a restart has it from the journals. */
  @Test
  void journal_items_of_a_folded_stripe_count_until_they_are_let_go() {
    JournalItem item = new JournalItem(null, 7);
    pending.add(new Place(3, 0, 0), DELTA, List.of());
    pending.add(new Place(3, 0, 1), DELTA, List.of(item));

    assertThat(pending.fold(3)).containsExactly(item);
    assertThat(pending.stripes()).isEmpty();
    assertThat(pending.isJournalledUpTo(7)).isTrue();
    assertThat(pending.hasUnjournalled()).isTrue();

    pending.letGo(3);
    assertThat(pending.isJournalledUpTo(7)).isFalse();
    assertThat(pending.hasUnjournalled()).isFalse();
  }

  @Test
  void deltas_of_a_slot_add_up_and_stay_as_they_were() {
    Place place = new Place(3, 1, 2);
    byte[] first = {1, 2};
    byte[] second = {4, 4, 4};
    byte[] third = {8};

    pending.add(place, first, List.of());
    pending.add(place, second, List.of());
    pending.add(place, third, List.of());

    assertThat(pending.delta(3, 1, 2)).containsExactly(13, 6, 4);
    assertThat(first).containsExactly(1, 2);
    assertThat(second).containsExactly(4, 4, 4);
    assertThat(third).containsExactly(8);
  }

  @Test
  void a_delta_that_is_added_twice_cancels_itself() {
    Place place = new Place(3, 1, 2);
    byte[] delta = {1, 2};

    pending.add(place, delta, List.of());
    pending.add(place, delta, List.of());

    assertThat(pending.delta(3, 1, 2)).containsExactly(0, 0);
    assertThat(delta).containsExactly(1, 2);
  }
}
