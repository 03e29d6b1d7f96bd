package io.counterpart.cache.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Operations that an answer lets in: a client that may send more does so at once. */
class FailoverTierTest {
  private static final Key FIRST = Key.of("first");
  private static final Key SECOND = Key.of("second");
  private static final Key THIRD = Key.of("third");

  private final FailoverTier tier =
      new FailoverTier(new EmbeddedChannel().eventLoop(), new ForwardStatistics());

  private final RecordingTier owner = new RecordingTier();

  @Test
  void come_after_those_that_have_waited_for_the_owner() {
    tier.inspect(FIRST, answer -> tier.inspect(THIRD, later -> {}));
    tier.inspect(SECOND, answer -> {});
    tier.use(owner);

    assertThat(owner.asked).containsExactly(FIRST, SECOND, THIRD);
  }

  @Test
  void come_after_them_also_if_they_are_let_in_by_the_end_of_an_unanswered_one() {
    tier.unanswered(() -> tier.inspect(SECOND, answer -> {}));
    tier.inspect(FIRST, answer -> {});
    tier.use(owner);
    tier.inspect(THIRD, answer -> {});

    assertThat(owner.asked).containsExactly(FIRST, SECOND, THIRD);
  }

  @Test
  void wait_for_the_next_owner_if_this_one_is_lost_meanwhile() {
    RecordingTier next = new RecordingTier();
    tier.inspect(
        FIRST,
        answer -> {
          tier.lose(owner);
          tier.inspect(SECOND, later -> {});
        });
    tier.use(owner);
    tier.inspect(THIRD, answer -> {});
    tier.use(next);

    assertThat(owner.asked).containsExactly(FIRST);
    assertThat(next.asked).containsExactly(SECOND, THIRD);
  }
}
