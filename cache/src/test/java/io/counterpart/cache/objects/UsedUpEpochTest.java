package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.tier.Status;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A shard whose epoch has no sequences left. */
@Timeout(120)
class UsedUpEpochTest {
  private static final int COUNTER_BITS = 40;
  private static final int RESERVE = 1 << 20;
  private static final byte[] VALUE = "a value".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  @Test
  void it_ends_and_the_next_start_has_a_new_epoch() throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(
                CodedClient.settings(
                    new CodeShape(5, 3), servers, directory.resolve("first"), 1 << 20))) {
      assertThat(CodedClient.await(client.set("before", VALUE))).isEqualTo(Status.DONE);
      Sequence sequence = new Sequence(client.shard());
      long epoch = sequence.get(client) >>> COUNTER_BITS;
      long nextEpoch = (epoch + 1) << COUNTER_BITS;
      sequence.set(client, nextEpoch - RESERVE - 10);

      for (int i = 0; i < 100; i++) {
        client.set("key-" + i, VALUE); // not answered, if it is under way when the shard ends
      }

      assertThatThrownBy(() -> client.shard().ended().get(40, TimeUnit.SECONDS))
          .hasMessageContaining("epoch " + epoch + " has used up its sequences");
      assertThat(CodedClient.await(client.set("late", VALUE))).isEqualTo(Status.UNAVAILABLE);
      assertThat(sequence.get(client)).isLessThan(nextEpoch);
      client.crashAndReopen(directory.resolve("second"));
      assertThat(CodedClient.await(client.set("after", VALUE))).isEqualTo(Status.DONE);
      assertThat(new Sequence(client.shard()).get(client)).isGreaterThan(nextEpoch);
      assertThat(CodedClient.await(client.get("before")).value()).isEqualTo(VALUE);
      assertThat(client.scrub()).isEmpty();
    }
  }

  /** Access to the last sequence of a shard. */
  private static final class Sequence {
    private final Object sequences;
    private final Field last;

    Sequence(CodedShard opened) throws ReflectiveOperationException {
      Object shard = value(CodedShard.class, "shard", opened);
      sequences = value(shard.getClass(), "sequences", shard);
      last = field(sequences.getClass(), "last");
    }

    long get(CodedClient client) {
      return CodedClient.await(
          client.<Long>call(
              done -> {
                try {
                  done.complete(last.getLong(sequences));
                } catch (IllegalAccessException e) {
                  done.completeExceptionally(e);
                }
              }));
    }

    void set(CodedClient client, long sequence) {
      CodedClient.await(
          client.<Boolean>call(
              done -> {
                try {
                  last.setLong(sequences, sequence);
                  done.complete(true);
                } catch (IllegalAccessException e) {
                  done.completeExceptionally(e);
                }
              }));
    }

    private static Object value(Class<?> type, String name, Object of)
        throws ReflectiveOperationException {
      return field(type, name).get(of);
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }
  }
}
