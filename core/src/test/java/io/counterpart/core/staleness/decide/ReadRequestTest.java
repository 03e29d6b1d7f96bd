package io.counterpart.core.staleness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadRequestTest {
  @Test
  void a_first_page_without_wishes_is_plain() {
    assertThat(request(RequestWish.NONE, false, ReadRequest.Page.FIRST).isPlain()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"cr, strict", "max_stale_ms, 0", "max_stale_ms, 100", "deadline_ms, 10"})
  void wishes_have_decisions_of_their_own(String wish, String value) {
    RequestWish asked = RequestWish.parse(Map.of(wish, value));

    assertThat(request(asked, false, ReadRequest.Page.FIRST).isPlain()).isFalse();
  }

  @Test
  void partitions_that_the_session_wrote_and_later_pages_have_decisions_of_their_own() {
    ReadRequest.Page later = ReadRequest.Page.later(Optional.empty());

    assertThat(request(RequestWish.NONE, true, ReadRequest.Page.FIRST).isPlain()).isFalse();
    assertThat(request(RequestWish.NONE, false, later).isPlain()).isFalse();
  }

  private static ReadRequest request(RequestWish wish, boolean wrote, ReadRequest.Page page) {
    return new ReadRequest(ReadLevel.ONE, ReadShape.ONE_PARTITION, wish, wrote, page);
  }
}
