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

    assertThat(pending.hasUnjournalled()).isTrue();
    assertThat(pending.remove(3)).containsExactly(later);
    assertThat(pending.hasUnjournalled()).isFalse();
  }
}
