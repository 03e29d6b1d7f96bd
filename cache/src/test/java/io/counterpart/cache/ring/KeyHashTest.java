package io.counterpart.cache.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHashTest {
  private static final long PRIME_32 = 2654435761L;

  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "as, 1c330fb2d66be179",
    "asd, 631c37ce72a97393",
    "asdf, 415872f599cea71e",
    "Call me Ishmael., 6d04390fc9d61a90",
    "Some years ago--never mind how long precisely-, 8f26f2b986afdc52",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1"
  })
  void equals_the_published_vectors_of_texts(String text, String hash) {
    byte[] key = text.getBytes(StandardCharsets.US_ASCII);

    assertThat(Long.toHexString(KeyHash.of(key))).isEqualTo(hash);
  }

  /** The vectors of xxHash's own sanity check, with and without a seed. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, ef46db3751d8e999",
    "0, 1, ac75fda2929b17ef",
    "1, 0, 4fce394cc88952d8",
    "1, 1, 739840cb819fa723",
    "14, 0, cffa8db881bc3a3d",
    "14, 1, 5b9611585efcc9cb",
    "101, 0, eab543384f878ad",
    "101, 1, caa65939306f1e21"
  })
  void equals_the_published_vectors_with_a_seed(int length, int seeded, String hash) {
    byte[] bytes = sanityBytes(length);

    long actual = KeyHash.of(bytes, 0, length, seeded * PRIME_32);

    assertThat(Long.toHexString(actual)).isEqualTo(hash);
  }

  private static byte[] sanityBytes(int length) {
    byte[] bytes = new byte[length];
    int generator = (int) PRIME_32;
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (generator >>> 24);
      generator *= generator;
    }
    return bytes;
  }

  @Test
  void hashes_a_part_like_the_whole() {
    byte[] bytes = sanityBytes(101);

    for (int length = 0; length <= 90; length++) {
      long part = KeyHash.of(bytes, 7, length, 3);
      byte[] copy = Arrays.copyOfRange(bytes, 7, 7 + length);
      assertThat(part).isEqualTo(KeyHash.of(copy, 0, length, 3));
    }
    assertThatThrownBy(() -> KeyHash.of(bytes, 90, 12, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void gives_every_shard_keys_of_every_ring() {
    int n = 6;
    int shards = 4;
    int[][] keys = new int[shards][n];

    for (int i = 0; i < 24_000; i++) {
      long hash = KeyHash.of(("key-" + i).getBytes(StandardCharsets.US_ASCII));
      keys[KeyHash.shard(hash, shards)][KeyHash.ring(hash, n)]++;
    }

    // 1,000 each; five standard deviations are 155
    for (int[] shard : keys) {
      assertThat(Arrays.stream(shard).boxed()).allMatch(count -> count > 845 && count < 1_155);
    }
  }
}
