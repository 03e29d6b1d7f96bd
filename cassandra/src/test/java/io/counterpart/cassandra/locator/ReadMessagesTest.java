package io.counterpart.cassandra.locator;

import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_1;
import static io.counterpart.cassandra.locator.PrimaryFirstSnitchTest.NEAR_2;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.selection.SelectionRules;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReadMessagesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CoordinatorReads reads = new CoordinatorReads(SelectionRules.DEFAULT, nanos::get);
  private final ReadMessages messages = new ReadMessages(reads, () -> NEAR_2);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @Test
  void reads_are_timed_from_request_to_answer_in_microseconds() {
    for (int i = 0; i < 3; i++) {
      assertThat(messages.leaves(message(NEAR_2, Verb.READ_REQ), NEAR_1)).isTrue();
      nanos.addAndGet(300_000);
      assertThat(messages.arrives(message(NEAR_1, Verb.READ_RSP))).isTrue();
    }
    reads.snapshot(0);

    assertThat(reads.reports()).hasSize(1);
    assertThat(reads.reports().get(0).score().meanMicros()).isEqualTo(300);
    assertThat(reads.reports().get(0).reads()).isEqualTo("point");
  }

  @Test
  void other_messages_pass_unseen() {
    for (Verb verb : Verb.values()) {
      if (ReadKind.ofRequest(verb) == null) {
        assertThat(messages.leaves(message(NEAR_2, verb), NEAR_1)).isTrue();
        assertThat(messages.arrives(message(NEAR_1, verb))).isTrue();
      }
    }
    reads.snapshot(0);

    assertThat(reads.reports()).isEmpty();
  }

  @Test
  void of_cassandras_own_timings_only_those_of_this_node_count() {
    for (int i = 0; i < 3; i++) {
      messages.receiveTiming(NEAR_1, 9, TimeUnit.MILLISECONDS);
      messages.receiveTiming(NEAR_2, 150, TimeUnit.MICROSECONDS);
    }
    reads.snapshot(0);

    assertThat(reads.reports()).hasSize(1);
    assertThat(reads.reports().get(0).score().meanMicros()).isEqualTo(150);
  }

  @Test
  void a_message_passes_even_where_its_timing_fails() {
    CoordinatorReads broken =
        new CoordinatorReads(
            SelectionRules.DEFAULT,
            () -> {
              throw new IllegalStateException("no clock");
            });
    ReadMessages watching = new ReadMessages(broken, () -> NEAR_2);

    assertThat(watching.leaves(message(NEAR_2, Verb.RANGE_REQ), NEAR_1)).isTrue();
    assertThat(watching.arrives(message(NEAR_1, Verb.RANGE_RSP))).isTrue();
    watching.receiveTiming(NEAR_2, 1, TimeUnit.MILLISECONDS);
  }

  private static Message<NoPayload> message(InetAddressAndPort from, Verb verb) {
    return Message.synthetic(from, verb, NoPayload.noPayload);
  }
}
