package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequencesTest {
  private static final int COUNTER_BITS = 40;
  private static final int RESERVE = 1 << 20;
  private static final int LAST_EPOCH = (1 << 24) - 1;

  private int ends;

  private static long begin(long epoch) {
    return epoch << COUNTER_BITS;
  }

  @Test
  void an_epoch_begins_above_the_one_before() {
    Sequences sequences = Sequences.ofEpoch(7, () -> ends++);

    assertThat(sequences.last()).isEqualTo(begin(7));
    assertThat(sequences.next()).isEqualTo(begin(7) + 1);
    assertThat(sequences.last()).isEqualTo(begin(7) + 1);
    assertThat(ends).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, LAST_EPOCH})
  void the_shard_ends_before_a_number_reaches_into_the_next_epoch(int epoch) {
    long nextEpoch = begin(epoch + 1L);
    Sequences sequences = new Sequences(nextEpoch - RESERVE - 2, () -> ends++);

    sequences.next();
    assertThat(ends).isZero();
    sequences.next();
    assertThat(ends).isEqualTo(1);

    for (int i = 1; i < RESERVE; i++) {
      sequences.next();
    }
    assertThat(sequences.last()).isEqualTo(nextEpoch - 1);
    assertThatThrownBy(sequences::next).hasMessageContaining("epoch " + epoch);
    assertThat(sequences.last()).isEqualTo(nextEpoch - 1);
  }
}
