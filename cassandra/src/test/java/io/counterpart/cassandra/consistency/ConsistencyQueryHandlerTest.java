package io.counterpart.cassandra.consistency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.staleness.decide.LevelDecision;
import io.counterpart.core.staleness.decide.LevelOutcome;
import io.counterpart.core.staleness.decide.ReadLevel;
import io.counterpart.core.staleness.decide.RequestWish;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of the handler that need no running node. */
class ConsistencyQueryHandlerTest {
  private static final String DELEGATE = "counterpart.consistency.delegate";
  private static final LevelDecision LOWERED =
      new LevelDecision(ReadLevel.ONE, LevelOutcome.LOWERED, true);

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization();
  }

  @AfterEach
  void forget_the_properties() {
    System.clearProperty(DELEGATE);
    System.clearProperty("counterpart.consistency.epsilon");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no.such.Handler",
        "java.lang.String",
        "",
        "io.counterpart.cassandra.consistency.ConsistencyQueryHandler"
      })
  void a_bad_delegate_stops_the_start_with_its_name(String bad) {
    System.setProperty(DELEGATE, bad);

    assertThatThrownBy(ConsistencyQueryHandler::new)
        .cause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("system property " + DELEGATE + " is '" + bad + "'")
        .hasMessageContaining("legal: another query handler's class");
  }

  @Test
  void a_bad_setting_stops_the_start_with_its_value() {
    System.setProperty(DELEGATE, RecordingHandler.class.getName());
    System.setProperty("counterpart.consistency.epsilon", "0");

    assertThatThrownBy(ConsistencyQueryHandler::new)
        .cause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("epsilon is 0.0, legal: above 0 and below 1");
  }

  @Test
  void requests_go_to_the_next_handler_as_they_are_when_the_start_fails() {
    RecordingHandler next = new RecordingHandler();
    ConsistencyQueryHandler handler =
        new ConsistencyQueryHandler(
            next,
            () -> {
              throw new IllegalStateException("planted");
            });

    assertThat(next.throughProcess(handler)).isSameAs(next.options());
    assertThat(next.throughProcess(handler)).isSameAs(next.options());
    assertThat(next.calls()).isEqualTo(2);
  }

  @Test
  void a_start_that_an_error_of_the_jvm_ends_is_not_tried_again() {
    RecordingHandler next = new RecordingHandler();
    AtomicInteger starts = new AtomicInteger();
    ConsistencyQueryHandler handler =
        new ConsistencyQueryHandler(
            next,
            () -> {
              starts.incrementAndGet();
              throw new OutOfMemoryError("planted");
            });

    assertThatThrownBy(() -> next.throughProcess(handler)).isInstanceOf(OutOfMemoryError.class);
    assertThat(next.throughProcess(handler)).isSameAs(next.options());
    assertThat(starts.get()).isEqualTo(1);
  }

  @Test
  void exceptions_of_the_next_handler_reach_the_client_unchanged() {
    RecordingHandler next = new RecordingHandler();
    next.failWith(new InvalidRequestException("of the delegate"));
    ConsistencyQueryHandler handler =
        new ConsistencyQueryHandler(
            next,
            () -> {
              throw new IllegalStateException("planted");
            });

    assertThatThrownBy(() -> next.throughProcess(handler)).hasMessage("of the delegate");
  }

  @ParameterizedTest
  @CsvSource({
    "ONE, ONE",
    "ALL, ALL",
    "LOCAL_QUORUM, LOCAL_QUORUM",
    "SERIAL, OTHER",
    "LOCAL_SERIAL, OTHER",
    "EACH_QUORUM, OTHER",
    "NODE_LOCAL, OTHER",
    "ANY, OTHER"
  })
  void levels_that_are_no_numbers_are_others(ConsistencyLevel level, ReadLevel expected) {
    assertThat(Levels.read(level)).isEqualTo(expected);
  }

  @Test
  void a_request_says_its_wishes_in_the_payload() {
    assertThat(RequestPayload.wish(null)).isEqualTo(RequestWish.NONE);
    assertThat(
            RequestPayload.wish(
                Map.of("cr", bytes("strict"), "max_stale_ms", bytes("20"), "other", bytes("?"))))
        .isEqualTo(new RequestWish(true, OptionalLong.of(20), OptionalLong.empty()));
    assertThatThrownBy(() -> RequestPayload.wish(Map.of("deadline_ms", bytes("-3"))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage("request payload: deadline_ms is '-3', legal: 1 to 3600000");
  }

  @Test
  void the_level_used_is_told_beside_what_others_tell() {
    ResultMessage result = new ResultMessage.Void();
    result.setCustomPayload(Map.of("theirs", bytes("x")));
    LevelDecision decision = LevelDecision.notLower(ReadLevel.TWO, LevelOutcome.RAISED);

    RequestPayload.report(result, decision, ProtocolVersion.V5);

    assertThat(result.getCustomPayload())
        .containsEntry("theirs", bytes("x"))
        .containsEntry("cr_level", bytes("TWO"))
        .containsEntry("cr_reason", bytes("raised"));
  }

  @Test
  void clients_of_old_protocols_get_no_payload() {
    ResultMessage result = new ResultMessage.Void();

    RequestPayload.report(
        result, LevelDecision.notLower(ReadLevel.TWO, LevelOutcome.RAISED), ProtocolVersion.V3);

    assertThat(result.getCustomPayload()).isNull();
  }

  @Test
  void the_stronger_level_counts_for_pages_that_look_alike() {
    PageLevels pages = new PageLevels();
    PageLevels.NextPage page =
        PageLevels.NextPage.of(TableId.fromUUID(new UUID(1, 2)), ReadLevel.QUORUM, bytes("state"));
    assertThat(pages.of(page)).isEmpty();

    pages.remember(
        page, LevelDecision.notLower(ReadLevel.QUORUM, LevelOutcome.CLIENT_LEVEL_SUFFICES));
    pages.remember(page, LOWERED);
    assertThat(pages.of(page)).isEqualTo(Optional.of(ReadLevel.QUORUM));

    pages.remember(page, LevelDecision.notLower(ReadLevel.THREE, LevelOutcome.RAISED));
    assertThat(pages.of(page)).isEqualTo(Optional.of(ReadLevel.THREE));
  }

  @Test
  void memory_of_pages_is_bounded() {
    PageLevels pages = new PageLevels();
    for (int i = 0; i <= PageLevels.MOST; i++) {
      pages.remember(numbered(i), LOWERED);
    }
    assertThat(pages.of(numbered(0))).isEmpty();
    assertThat(pages.of(numbered(1))).isPresent();
  }

  private static PageLevels.NextPage numbered(int i) {
    return PageLevels.NextPage.of(
        TableId.fromUUID(new UUID(1, 2)), ReadLevel.QUORUM, bytes("state" + i));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBufferUtil.bytes(text);
  }
}
