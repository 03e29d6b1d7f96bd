package io.counterpart.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.workload.ValueCodec;
import io.counterpart.lab.workload.VersionLedger;
import io.counterpart.lab.workload.value.ValueKind;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadBackTest {
  private static final int KEYS = 100;
  private final ValueCodec codec = new ValueCodec(9, 64, ValueKind.RANDOM);
  private final VersionLedger ledger = new VersionLedger(KEYS);

  @BeforeEach
  void acknowledge_two_versions_of_every_key() {
    for (int key = 0; key < KEYS; key++) {
      ledger.acknowledge(key, ledger.issue(key));
      ledger.acknowledge(key, ledger.issue(key));
    }
  }

  @Test
  void finds_nothing_when_every_key_has_its_newest_version() {
    CheckOutcome outcome = run(key -> stored(key, 2));

    assertThat(outcome.clean()).isTrue();
    assertThat(outcome.checked()).isEqualTo(KEYS);
  }

  @Test
  void finds_planted_losses_absent_and_stale() {
    CheckOutcome outcome =
        run(key -> key == 3 ? absent() : key == 4 ? stored(key, 1) : stored(key, 2));

    assertThat(outcome.lost()).isEqualTo(2);
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.clean()).isFalse();
    assertThat(outcome.examples()).containsExactlyInAnyOrder("key 3: LOST", "key 4: LOST");
  }

  @Test
  void finds_planted_wrong_values_flipped_swapped_and_never_sent() {
    ByteBuffer flipped = codec.encode(5, 2);
    flipped.put(40, (byte) ~flipped.get(40));

    CheckOutcome outcome =
        run(
            key ->
                switch (key) {
                  case 5 -> CompletableFuture.completedFuture(Optional.of(flipped));
                  case 6 -> stored(7, 2);
                  case 8 -> stored(key, 3);
                  default -> stored(key, 2);
                });

    assertThat(outcome.wrong()).isEqualTo(3);
    assertThat(outcome.lost()).isZero();
  }

  @Test
  void accepts_a_write_that_took_effect_without_an_answer() {
    int unanswered = ledger.issue(1);

    assertThat(run(key -> stored(key, key == 1 ? unanswered : 2)).clean()).isTrue();
    assertThat(run(key -> stored(key, 2)).clean()).isTrue();
  }

  @Test
  void accepts_absence_of_what_was_never_acknowledged_and_does_not_count_it_as_checked() {
    VersionLedger fresh = new VersionLedger(2);
    fresh.issue(0);
    int written = fresh.issue(1);
    fresh.acknowledge(1, written);
    Verdicts verdicts = new Verdicts(new RowCheck(codec, fresh), 2);

    verdicts.judge(0, Optional.empty());
    verdicts.judge(1, Optional.of(codec.encode(1, written)));

    CheckOutcome outcome = verdicts.outcome();
    assertThat(outcome.clean()).isTrue();
    assertThat(outcome.checked()).isOne();
  }

  @Test
  void takes_a_row_that_nobody_wrote_as_wrong_and_a_second_answer_as_nothing() {
    Verdicts verdicts = new Verdicts(new RowCheck(codec, ledger), KEYS);

    verdicts.judge(KEYS + 1, Optional.of(codec.encode(KEYS + 1, 1)));
    verdicts.judge(0, Optional.of(codec.encode(0, 1)));
    verdicts.judge(0, Optional.of(codec.encode(0, 1)));

    CheckOutcome outcome = verdicts.outcome();
    assertThat(outcome.wrong()).isEqualTo(1);
    assertThat(outcome.lost()).isEqualTo(1);
    assertThat(outcome.unread()).isEqualTo(KEYS - 1);
    assertThat(verdicts.judged()).isEqualTo(1);
  }

  @Test
  void reads_again_what_failed_and_reports_what_never_answered() {
    AtomicInteger failures = new AtomicInteger();

    CheckOutcome outcome =
        run(
            key -> {
              if (key == 10 || (key == 11 && failures.incrementAndGet() == 1)) {
                return CompletableFuture.failedFuture(new IllegalStateException("time-out"));
              }
              return stored(key, 2);
            });

    assertThat(outcome.unread()).isEqualTo(1);
    assertThat(outcome.checked()).isEqualTo(KEYS - 1);
    assertThat(outcome.clean()).isFalse();
  }

  private CheckOutcome run(IntFunction<CompletionStage<Optional<ByteBuffer>>> read) {
    return ReadBack.single(new RowCheck(codec, ledger), KEYS, read);
  }

  private CompletionStage<Optional<ByteBuffer>> stored(int key, int version) {
    return CompletableFuture.completedFuture(Optional.of(codec.encode(key, version)));
  }

  private static CompletionStage<Optional<ByteBuffer>> absent() {
    return CompletableFuture.completedFuture(Optional.empty());
  }
}
