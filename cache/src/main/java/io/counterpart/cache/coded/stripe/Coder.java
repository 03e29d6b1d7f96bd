package io.counterpart.cache.coded.stripe;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.ErasureCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes arrays through its own direct memory. Not thread-safe. */
public final class Coder {
  private static final int FIRST_BYTES = 8 << 10;
  private static final byte[] ZEROS = new byte[4 << 10];

  private final ErasureCode code;
  private final CodeShape shape;
  private ByteBuffer[] memory = new ByteBuffer[0];
  private byte[] sum = new byte[0];
  private int length;

  public Coder(ErasureCode code) {
    this.code = code;
    this.shape = code.shape();
    grow(FIRST_BYTES);
  }

  /**
   * Encodes the parity of chunks that are given slot by slot; the other slots are zeros.
   *
   * @param content passes each slot's bytes and its place within the stripe to its argument
   * @return n − k chunks of that many bytes
   */
  public byte[][] encode(int slotBytes, int slots, SlotSource content) {
    ByteBuffer[] parity = encodeColumns(slotBytes, 0, slots, content);
    byte[][] result = new byte[parity.length][slotBytes * slots];
    for (int i = 0; i < parity.length; i++) {
      parity[i].get(0, result[i]);
    }
    return result;
  }

  /**
   * Adds the parity of deltas to parity. Encodes the columns from the first changed slot to the
   * last one only: most updates change few slots of a stripe.
   *
   * @param parity n − k chunks, null where one is to be left out; changed in place
   */
  public void add(int slotBytes, SlotSource deltas, byte[] @Nullable [] parity) {
    Columns changed = new Columns();
    deltas.forEach(changed);
    if (changed.isNone()) {
      return;
    }
    ByteBuffer[] encoded = encodeColumns(slotBytes, changed.first, changed.end, deltas);
    int bytes = encoded[0].limit();
    for (int i = 0; i < parity.length; i++) {
      byte[] target = parity[i];
      if (target != null) {
        encoded[i].get(0, sum, 0, bytes);
        Xor.into(target, changed.first * slotBytes, sum, bytes);
      }
    }
  }

  /** Encodes columns into the coder's memory; all slots with content are in them. */
  private ByteBuffer[] encodeColumns(int slotBytes, int first, int end, SlotSource content) {
    ByteBuffer[] chunks = chunks(slotBytes * (end - first));
    for (int i = 0; i < shape.k(); i++) {
      clear(chunks[i]);
    }
    content.forEach(
        (slot, within) ->
            chunks[Place.chunk(within)].put(
                (Place.slot(within) - first) * slotBytes, slot, 0, slot.length));
    ByteBuffer[] parity = Arrays.copyOfRange(chunks, shape.k(), shape.n());
    code.encode(Arrays.copyOfRange(chunks, 0, shape.k()), parity);
    return parity;
  }

  /** The columns from the first slot with content to the last one. */
  private static final class Columns implements ObjIntConsumer<byte[]> {
    private int first = Integer.MAX_VALUE;
    private int end;

    @Override
    public void accept(byte[] slot, int within) {
      first = Math.min(first, Place.slot(within));
      end = Math.max(end, Place.slot(within) + 1);
    }

    boolean isNone() {
      return end == 0;
    }
  }

  /**
   * Decodes the missing entries of a column.
   *
   * @param column n entries, data then parity, null where missing; data may lack trailing zeros.
   *     Missing data are filled in, missing parity is not
   * @throws IllegalArgumentException if fewer than k entries are there
   */
  public void decode(int slotBytes, byte[] @Nullable [] column) {
    ByteBuffer[] chunks = chunks(slotBytes);
    int available = 0;
    int wanted = 0;
    for (int i = 0; i < shape.n(); i++) {
      byte[] bytes = column[i];
      if (bytes != null) {
        clear(chunks[i]);
        chunks[i].put(0, bytes, 0, Math.min(bytes.length, slotBytes));
        available |= 1 << i;
      } else if (i < shape.k()) {
        wanted |= 1 << i;
      }
    }
    code.decode(chunks, available, wanted);
    for (int i = 0; i < shape.k(); i++) {
      if ((wanted >>> i & 1) == 1) {
        byte[] decoded = new byte[slotBytes];
        chunks[i].get(0, decoded);
        column[i] = decoded;
      }
    }
  }

  private ByteBuffer[] chunks(int bytes) {
    if (bytes > length) {
      grow(bytes);
    }
    ByteBuffer[] chunks = new ByteBuffer[memory.length];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = memory[i].duplicate().limit(bytes);
    }
    return chunks;
  }

  private void grow(int bytes) {
    length = Math.max(bytes, length + length / 2);
    sum = new byte[length];
    memory = new ByteBuffer[shape.n()];
    for (int i = 0; i < memory.length; i++) {
      memory[i] = ByteBuffer.allocateDirect(length);
    }
  }

  private static void clear(ByteBuffer buffer) {
    for (int at = 0; at < buffer.limit(); at += ZEROS.length) {
      buffer.put(at, ZEROS, 0, Math.min(ZEROS.length, buffer.limit() - at));
    }
  }

  /** Supplies slots. */
  @FunctionalInterface
  public interface SlotSource {
    void forEach(ObjIntConsumer<byte[]> taker);
  }
}
