package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.index.ObjectIndex;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that the object index cannot tell apart, in one column of a stripe. */
@Timeout(120)
class EqualFingerprintsTest {
  @TempDir private Path directory;

  @Test
  void each_object_has_its_own_value_and_life() throws Exception {
    List<String> keys = List.of("key-35294", "key-46101"); // of the rings 3 and 4
    assertThat(keys)
        .extracting(key -> ObjectIndex.fingerprint(KeyHash.of(key.getBytes(US_ASCII))))
        .containsOnly(ObjectIndex.fingerprint(KeyHash.of(keys.get(0).getBytes(US_ASCII))));
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(new CodeShape(5, 3), servers, directory.resolve("first"), 1 << 20)) {
      for (String key : keys) {
        assertThat(CodedClient.await(client.set(key, value(key)))).isEqualTo(Status.DONE);
      }
      client.crashAndReopen(directory.resolve("second"));
      for (String key : keys) {
        assertThat(CodedClient.await(client.get(key)).value()).isEqualTo(value(key));
      }

      assertThat(CodedClient.await(client.delete(keys.get(0)))).isEqualTo(Status.DONE);
      assertThat(CodedClient.await(client.get(keys.get(0))).status()).isEqualTo(Status.NOT_FOUND);
      assertThat(CodedClient.await(client.get(keys.get(1))).value()).isEqualTo(value(keys.get(1)));
    }
  }

  private static byte[] value(String key) {
    return key.repeat(10).getBytes(US_ASCII);
  }
}
