package io.counterpart.cache.coded.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.testkit.random.SeededRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeededRandom.class)
class CoderTest {
  private static final CodeShape SHAPE = new CodeShape(5, 3);
  private static final int SLOT_BYTES = 40;
  private static final int SLOTS = 6;
  private static final int ROUNDS = 200;

  private final Coder coder = new Coder(CodingLibrary.load().coder(SHAPE));

  @Test
  void parity_with_deltas_added_is_the_parity_of_the_sum(Random random) {
    Map<Integer, byte[]> content = new HashMap<>();
    byte[][] parity = encode(content);

    for (int round = 0; round < ROUNDS; round++) {
      Map<Integer, byte[]> deltas = new HashMap<>();
      for (int left = random.nextInt(4); left > 0; left--) {
        int within = Place.within(random.nextInt(SHAPE.k()), random.nextInt(SLOTS));
        deltas.put(within, bytes(random));
      }
      coder.add(
          SLOT_BYTES, taker -> deltas.forEach((at, delta) -> taker.accept(delta, at)), parity);
      deltas.forEach((at, delta) -> content.merge(at, delta, Xor::of));

      assertThat(parity).isDeepEqualTo(encode(content));
    }
  }

  @Test
  void a_missing_item_is_left_out(Random random) {
    byte[] delta = bytes(random);
    Coder.SlotSource deltas = taker -> taker.accept(delta, Place.within(2, 5));
    byte[][] whole = encode(Map.of());
    byte[][] lacking = {null, encode(Map.of())[1]};

    coder.add(SLOT_BYTES, deltas, whole);
    coder.add(SLOT_BYTES, deltas, lacking);

    assertThat(lacking[0]).isNull();
    assertThat(lacking[1]).isEqualTo(whole[1]);
  }

  private byte[][] encode(Map<Integer, byte[]> content) {
    return coder.encode(
        SLOT_BYTES, SLOTS, taker -> content.forEach((at, slot) -> taker.accept(slot, at)));
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(SLOT_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }
}
