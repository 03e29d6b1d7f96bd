package io.counterpart.cache.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.counterpart.testkit.random.SeededRandom;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every coder. */
@ExtendWith(SeededRandom.class)
abstract class ErasureCodeContract {

  private static final CodeShape SHAPE = new CodeShape(5, 3);
  private static final int LENGTH = 100;

  abstract ErasureCode coder(CodeShape shape);

  static Stream<CodeShape> shapes() {
    return Stripe.shapes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3,2", "4,2", "5,3", "6,3", "6,4", "7,5"})
  void every_pattern_of_erasures_is_decoded(String text, Random random) {
    CodeShape shape = CodeShape.parse(text);
    ErasureCode coder = coder(shape);
    Stripe stripe = Stripe.random(shape, 37, random);
    coder.encode(stripe.data(), stripe.parity());
    byte[][] before = stripe.content();

    int all = (1 << shape.n()) - 1;
    for (int available = 0; available <= all; available++) {
      if (Integer.bitCount(available) >= shape.k() && available != all) {
        int missing = all ^ available;
        // every non-empty subset of what is missing
        for (int wanted = missing; wanted > 0; wanted = (wanted - 1) & missing) {
          decode(coder, stripe, before, available, wanted);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void random_erasures_are_decoded_in_every_shape_at_any_length(CodeShape shape, Random random) {
    ErasureCode coder = coder(shape);
    for (int round = 0; round < 20; round++) {
      Stripe stripe = Stripe.random(shape, 1 + random.nextInt(round < 15 ? 70 : 5000), random);
      coder.encode(stripe.data(), stripe.parity());
      byte[][] before = stripe.content();

      int available = randomBits(shape.k(), shape.n(), random);
      int missing = (1 << shape.n()) - 1 ^ available;
      int wanted = randomBits(1 + random.nextInt(shape.parityCount()), shape.n(), random) & missing;
      decode(coder, stripe, before, available, wanted == 0 ? missing : wanted);
    }
  }

  @Test
  void a_chunk_of_one_mebibyte_is_decoded(Random random) {
    CodeShape shape = new CodeShape(14, 10);
    ErasureCode coder = coder(shape);
    Stripe stripe = Stripe.random(shape, 1 << 20, random);
    coder.encode(stripe.data(), stripe.parity());

    decode(coder, stripe, stripe.content(), 0b11_1100_1111_1110, 0b00_0011_0000_0001);
  }

  @Test
  void a_fragment_is_coded_as_it_is_within_its_chunk(Random random) {
    ErasureCode coder = coder(SHAPE);
    Stripe stripe = Stripe.random(SHAPE, LENGTH, random);
    coder.encode(stripe.data(), stripe.parity());
    byte[][] whole = stripe.content();

    for (ByteBuffer chunk : stripe.chunks()) {
      chunk.position(chunk.position() + 17).limit(chunk.position() + 1);
    }
    stripe.lose(0b01010);
    coder.decode(stripe.chunks(), 0b10101, 0b01010);

    for (int i = 0; i < whole.length; i++) {
      assertThat(Stripe.bytes(stripe.chunks()[i])).containsExactly(whole[i][17]);
    }
  }

  @Test
  void only_the_first_k_available_chunks_are_looked_at(Random random) {
    ErasureCode coder = coder(SHAPE);
    Stripe stripe = Stripe.random(SHAPE, LENGTH, random);
    coder.encode(stripe.data(), stripe.parity());
    byte[] first = stripe.content()[0];
    stripe.lose(0b10001);
    @Nullable ByteBuffer[] chunks = stripe.chunks().clone();
    chunks[4] = null;

    coder.decode(chunks, 0b11110, 0b00001);

    assertThat(Stripe.bytes(stripe.chunks()[0])).isEqualTo(first);
  }

  @Test
  void bad_arguments_are_refused_before_anything_is_touched(Random random) {
    ErasureCode coder = coder(SHAPE);
    Stripe stripe = Stripe.random(SHAPE, LENGTH, random);
    byte[][] before = stripe.content();
    ByteBuffer[] data = stripe.data();
    ByteBuffer[] parity = stripe.parity();
    ByteBuffer[] chunks = stripe.chunks();

    refused("data chunks are 2, not 3", () -> coder.encode(parity, parity));
    refused("parity chunks are 3, not 2", () -> coder.encode(data, data));
    refused("chunk 4 has 99 bytes, not 100", () -> coder.encode(data, last(parity, shorter())));
    refused("chunk 4 is on the heap", () -> coder.encode(data, last(parity, heap())));
    refused("chunk 4 is read-only", () -> coder.encode(data, last(parity, readOnly())));
    refused("chunk 2 is on the heap", () -> coder.encode(last(data, heap()), parity));
    refused("chunk 0 has 0 bytes, not 1 or more", () -> coder.encode(empty(data), empty(parity)));

    refused("chunks are 3, not 5", () -> coder.decode(data, 0b00111, 0b01000));
    refused("available chunks are {0, 1}; 3 are", () -> coder.decode(chunks, 0b00011, 0b01000));
    refused("wanted chunks are {2}", () -> coder.decode(chunks, 0b00111, 0b00100));
    refused("wanted chunks are {}", () -> coder.decode(chunks, 0b00111, 0));
    refused("wanted chunks are {5}", () -> coder.decode(chunks, 0b00111, 0b100000));
    refused("chunk 4 is null", () -> coder.decode(last(chunks, null), 0b00111, 0b10000));
    refused("chunk 4 is null", () -> coder.decode(last(chunks, null), 0b10011, 0b00100));
    refused("chunk 4 is read-only", () -> coder.decode(last(chunks, readOnly()), 7, 0b10000));

    stripe.assertContent(before);
  }

  @Test
  void calls_allocate_nothing_once_a_pattern_is_known(Random random) {
    ErasureCode coder = coder(SHAPE);
    Stripe stripe = Stripe.random(SHAPE, LENGTH, random);
    ByteBuffer[] data = stripe.data();
    ByteBuffer[] parity = stripe.parity();
    ByteBuffer[] chunks = stripe.chunks();
    Runnable calls =
        () -> {
          coder.encode(data, parity);
          coder.decode(chunks, 0b10101, 0b01010);
        };
    calls.run();
    calls.run();

    // What a call allocates is seen in every round. The JVM's own, such as a compiled loop that it
    // gives up, is seen in some.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = allocatedBytes();
      for (int i = 0; i < 1000; i++) {
        calls.run();
      }
      least = Math.min(least, allocatedBytes() - before);
    }
    assertThat(least).isLessThan(1000);
  }

  private static void decode(
      ErasureCode coder, Stripe stripe, byte[][] before, int available, int wanted) {
    int missing = (1 << before.length) - 1 ^ available;
    stripe.lose(missing);

    coder.decode(stripe.chunks(), available, wanted);

    // what is lost and not wanted is left as it is: lost twice, it is what it was
    stripe.lose(missing ^ wanted);
    stripe.assertContent(before);
    stripe.assertMarginsUntouched();
  }

  private static int randomBits(int count, int of, Random random) {
    int bits = 0;
    while (Integer.bitCount(bits) < count) {
      bits |= 1 << random.nextInt(of);
    }
    return bits;
  }

  private static void refused(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static ByteBuffer[] last(ByteBuffer[] buffers, @Nullable ByteBuffer last) {
    ByteBuffer[] copy = buffers.clone();
    copy[copy.length - 1] = last;
    return copy;
  }

  private static ByteBuffer[] empty(ByteBuffer[] buffers) {
    return Stream.of(buffers)
        .map(buffer -> ByteBuffer.allocateDirect(0))
        .toArray(ByteBuffer[]::new);
  }

  private static ByteBuffer heap() {
    return ByteBuffer.allocate(LENGTH);
  }

  private static ByteBuffer shorter() {
    return ByteBuffer.allocateDirect(LENGTH - 1);
  }

  private static ByteBuffer readOnly() {
    return ByteBuffer.allocateDirect(LENGTH).asReadOnlyBuffer();
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
