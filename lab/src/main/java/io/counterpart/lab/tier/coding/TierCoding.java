package io.counterpart.lab.tier.coding;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.coding.ErasureCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The tier's coder. */
final class TierCoding implements CodingSpeed {
  private static final int ALIGNMENT = 64;
  private static final int ROUNDS_BETWEEN_LOOKS = 8;

  private final CodingLibrary library;

  TierCoding(CodingLibrary library) {
    this.library = library;
  }

  @Override
  public String name() {
    return CodingStage.OURS;
  }

  @Override
  public Encoded encode(CodeShape code, int stripesInCall, Duration time) {
    ErasureCode coder = library.coder(code);
    int calls = STRIPES / stripesInCall;
    ByteBuffer[][] data = new ByteBuffer[calls][];
    ByteBuffer[][] parity = new ByteBuffer[calls][];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < calls; i++) {
      ByteBuffer[] chunks = new ByteBuffer[code.n()];
      for (int j = 0; j < chunks.length; j++) {
        chunks[j] = chunks(stripesInCall, random);
      }
      data[i] = Arrays.copyOfRange(chunks, 0, code.k());
      parity[i] = Arrays.copyOfRange(chunks, code.k(), code.n());
    }
    long stripes = 0;
    long start = System.nanoTime();
    long nanos = 0;
    while (nanos < time.toNanos()) {
      for (int round = 0; round < ROUNDS_BETWEEN_LOOKS; round++) {
        for (int i = 0; i < calls; i++) {
          coder.encode(data[i], parity[i]);
        }
      }
      stripes += (long) ROUNDS_BETWEEN_LOOKS * STRIPES;
      nanos = System.nanoTime() - start;
    }
    return new Encoded(stripes, nanos);
  }

  private static ByteBuffer chunks(int count, SplittableRandom random) {
    int bytes = Math.toIntExact(count * CHUNK_BYTES);
    ByteBuffer chunk =
        ByteBuffer.allocateDirect(bytes + ALIGNMENT).alignedSlice(ALIGNMENT).limit(bytes).slice();
    while (chunk.hasRemaining()) {
      chunk.putLong(random.nextLong());
    }
    return chunk.flip();
  }
}
