package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.EvictionRule;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** Tiers on real servers that are full, and from which objects that nobody uses leave. */
abstract class FullTier {
  static final CodeShape CODE = new CodeShape(5, 3);
  static final long JOURNAL = 2 << 20;
  static final int AT_ONCE = 64;

  @TempDir Path directory;

  static CodedServers servers(int megabytes) throws Exception {
    return new CodedServers(5, "-I", "2m", "-M", "-m", Integer.toString(megabytes));
  }

  CodedClient client(CodedServers servers) throws Exception {
    return new CodedClient(settings(servers).evicting(EvictionRule.ALL));
  }

  CodedSettings settings(CodedServers servers) {
    return CodedClient.patientSettings(CODE, servers, directory.resolve("life-0"), JOURNAL);
  }

  /** Writes objects, new ones or not; returns how many were refused. */
  static int insert(
      CodedClient client, Map<String, byte[]> values, Random random, List<String> keys, int bytes) {
    int refused = 0;
    ArrayDeque<CompletableFuture<Status>> underWay = new ArrayDeque<>();
    for (String key : keys) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      values.put(key, value);
      underWay.add(client.set(key, value));
      if (underWay.size() == AT_ONCE) {
        refused += CodedClient.await(underWay.remove()) == Status.DONE ? 0 : 1;
      }
    }
    for (CompletableFuture<Status> write : underWay) {
      refused += CodedClient.await(write) == Status.DONE ? 0 : 1;
    }
    return refused;
  }

  static List<String> keys(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
  }

  /** Reads all; returns how many were there, each with its value. */
  static int present(CodedClient client, Map<String, byte[]> values, List<String> keys) {
    int[] found = new int[1];
    SeveralAtOnce.ask(
        keys,
        client::get,
        (key, got) -> {
          if (got.status() == Status.DONE) {
            assertThat(got.value()).as(key).isEqualTo(values.get(key));
            found[0]++;
          } else {
            assertThat(got.status()).as(key).isEqualTo(Status.NOT_FOUND);
          }
        });
    return found[0];
  }
}
