package io.counterpart.lab.tier.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerParserTest {
  private final AnswerParser parser = new AnswerParser(16);

  /** However the bytes are cut, the answers are the same. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void cuts_answers_however_they_come(int piece) throws IOException {
    byte[] bytes =
        "VALUE user1 0 5\r\nE\r\nND\r\nEND\r\nSTORED\r\nEND\r\nSERVER_ERROR no\r\n"
            .getBytes(ISO_8859_1);
    boolean[] toSet = {false, true, false, true};
    String[] found = new String[toSet.length];
    int answers = 0;
    for (int at = 0; at < bytes.length; at += piece) {
      feed(bytes, at, Math.min(piece, bytes.length - at));
      while (answers < toSet.length && parser.next(toSet[answers])) {
        found[answers++] = answer();
      }
    }

    assertThat(found).containsExactly("value E\r\nND", "stored", "end", "SERVER_ERROR no");
  }

  @Test
  void refuses_what_is_no_answer() throws IOException {
    byte[] bytes = "VALUE user1 0 x\r\n".getBytes(ISO_8859_1);
    feed(bytes, 0, bytes.length);

    assertThatThrownBy(() -> parser.next(false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no answer to get: VALUE user1 0 x");
  }

  private void feed(byte[] bytes, int from, int count) throws IOException {
    for (int i = from; i < from + count; i++) {
      parser.room().put(bytes[i]);
    }
  }

  private String answer() {
    if (parser.isValue()) {
      ByteBuffer value = parser.value();
      byte[] copy = new byte[value.remaining()];
      value.get(copy);
      return "value " + new String(copy, ISO_8859_1);
    }
    return parser.isStored() ? "stored" : parser.isEnd() ? "end" : parser.line();
  }
}
