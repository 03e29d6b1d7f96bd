package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.testkit.random.SeededRandom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random bytes, valid and not: splits change nothing, and nothing throws or leaks. */
@ExtendWith(SeededRandom.class)
class RequestFuzzTest {

  private static final String WORDS =
      "get |gets |set k 0 0 |cas |delete |mg |ms k |ma |md |me |b |\r\n|\n| |\0|k|9|-1|noreply|q ";

  @Test
  void valid_pipelines_decode_the_same_however_they_are_split(Random random) {
    PipelineGenerator generator = new PipelineGenerator(random);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = generator.pipeline(1 + random.nextInt(40));

      assertThat(decoded(bytes, random, 1 + random.nextInt(30)))
          .isEqualTo(decoded(bytes, random, bytes.length));
    }
  }

  @Test
  void damaged_pipelines_decode_the_same_however_they_are_split(Random random) {
    PipelineGenerator generator = new PipelineGenerator(random);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = generator.damaged(generator.pipeline(1 + random.nextInt(10)));

      assertThat(decoded(bytes, random, 1)).isEqualTo(decoded(bytes, random, bytes.length));
    }
  }

  @Test
  void garbage_is_refused_and_never_more_than_a_line_or_a_value_is_kept(Random random) {
    String[] words = WORDS.split("\\|");
    for (int i = 0; i < 200; i++) {
      ByteBuf garbage = Unpooled.buffer();
      for (int j = 0; j < 200; j++) {
        if (random.nextBoolean()) {
          garbage.writeCharSequence(words[random.nextInt(words.length)], ISO_8859_1);
        } else {
          byte[] noise = new byte[random.nextInt(20)];
          random.nextBytes(noise);
          garbage.writeBytes(noise);
        }
      }
      decoded(ByteBufUtil.getBytes(garbage), random, 1 + random.nextInt(100));
    }
  }

  /** The requests, as text, from bytes that arrive in pieces up to a size. */
  private static List<String> decoded(byte[] bytes, Random random, int largestPiece) {
    RequestDecoder decoder = new RequestDecoder(1000);
    ByteBuf in = Unpooled.buffer();
    List<String> requests = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int length = largestPiece == bytes.length ? largestPiece : 1 + random.nextInt(largestPiece);
      length = Math.min(length, bytes.length - from);
      in.discardReadBytes().writeBytes(bytes, from, length);
      from += length;
      for (Request request = decoder.next(in); request != null; request = decoder.next(in)) {
        requests.add(text(request));
        request.release();
      }
      assertThat(in.readableBytes()).isLessThanOrEqualTo(RequestDecoder.MAX_UNFINISHED_BYTES);
    }
    assertThat(in.refCnt()).as("references to the buffer").isEqualTo(1);
    return requests;
  }

  private static String text(Request request) {
    if (request instanceof Request.Store store) {
      return "Store "
          + store.mode()
          + " "
          + store.key()
          + " "
          + store.flags()
          + " "
          + store.exptime()
          + " "
          + store.cas()
          + " "
          + store.noreply()
          + " "
          + ByteBufUtil.hexDump(store.value());
    }
    if (request instanceof Request.MetaSet set) {
      return "MetaSet "
          + set.key()
          + " "
          + set.flags()
          + " "
          + set.mode()
          + " "
          + ByteBufUtil.hexDump(set.value());
    }
    return request.toString();
  }
}
