package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.coded.request.CodedObjects;
import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shard whose code, or whose user's code, throws while it holds locks. */
@Timeout(120)
class ShardFaultTest {
  private static final byte[] VALUE = "a value".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  private static <T> T fail() {
    throw new IllegalStateException("made to fail");
  }

  /** The place of the exception. */
  enum Fault {
    /** While a change decides on an answer's old value, with the key's lock. */
    DECISION((objects, there) -> change(objects, there ? "there" : "absent")),

    /** While the record is encoded, with the key's lock and in its stripe. */
    IN_STRIPE(
        (objects, there) ->
            objects.change(
                Key.of(there ? "there" : "absent"),
                (old, now) -> new RecordChange.Write(0, 0, 0, released()),
                (written, sequence) -> {})),

    /** At the end of a write, after the last server's answer. */
    END(
        (objects, there) ->
            objects.change(
                Key.of(there ? "there" : "absent"),
                (old, now) -> new RecordChange.Remove(),
                (written, sequence) -> fail())),

    /** When an answer has brought a client's object. */
    READ((objects, there) -> objects.read(Key.of(there ? "there" : "absent"), new FailingReader()));

    private final BiConsumer<CodedObjects, Boolean> body;

    Fault(BiConsumer<CodedObjects, Boolean> body) {
      this.body = body;
    }

    /** A value that cannot be read. */
    private static ByteBuf released() {
      ByteBuf value = Unpooled.copiedBuffer(VALUE);
      value.release();
      return value;
    }

    private static void change(CodedObjects objects, String key) {
      objects.change(Key.of(key), (old, now) -> fail(), (written, sequence) -> {});
    }
  }

  private static final class FailingReader implements CodedObjects.Reader {
    @Override
    public void found(StoredRecord record, ByteBuf owner) {
      owner.release();
      fail();
    }

    @Override
    public void absent() {
      fail();
    }

    @Override
    public void unavailable() {
      fail();
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void a_fault_in_an_answer_ends_the_shard_and_the_next_start_has_all(Fault fault)
      throws Exception {
    endsAndRecovers(fault, true);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void so_does_a_fault_in_a_call(Fault fault) throws Exception {
    endsAndRecovers(fault, false);
  }

  private void endsAndRecovers(Fault fault, boolean there) throws Exception {
    try (CodedServers servers = new CodedServers(5, "-I", "2m", "-M", "-m", "64");
        CodedClient client =
            new CodedClient(
                CodedClient.settings(
                    new CodeShape(5, 3), servers, directory.resolve("first"), 1 << 20))) {
      assertThat(CodedClient.await(client.set("there", VALUE))).isEqualTo(Status.DONE);
      assertThat(CodedClient.await(client.set("other", VALUE))).isEqualTo(Status.DONE);

      client.loop().execute(() -> fault.body.accept(client.shard().objects(), there));

      assertThatThrownBy(() -> client.shard().ended().get(40, TimeUnit.SECONDS))
          .hasMessageContaining("a fault of Counterpart");
      assertThat(CodedClient.await(client.get("other")).status()).isEqualTo(Status.UNAVAILABLE);
      assertThat(CodedClient.await(client.set("there", VALUE))).isEqualTo(Status.UNAVAILABLE);

      client.crashAndReopen(directory.resolve("second"));
      boolean isRemoved = fault == Fault.END && there;
      assertThat(CodedClient.await(client.get("there")).status())
          .isEqualTo(isRemoved ? Status.NOT_FOUND : Status.DONE);
      assertThat(CodedClient.await(client.set("there", VALUE))).isEqualTo(Status.DONE);
      assertThat(CodedClient.await(client.get("there")).value()).isEqualTo(VALUE);
      assertThat(CodedClient.await(client.get("other")).value()).isEqualTo(VALUE);
      assertThat(client.scrub()).isEmpty();
    }
  }
}
