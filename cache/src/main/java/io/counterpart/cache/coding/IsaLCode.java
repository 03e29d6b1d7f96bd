package io.counterpart.cache.coding;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The code through ISA-L. Pointer arrays and tables are native memory of this coder, so a call
 * costs one native call and the writes of its buffers' addresses. Not thread-safe.
 */
final class IsaLCode extends MatrixCode<NativeBlock> {

  /** Table bytes of one coefficient: its products with the low and the high four bits of a byte. */
  private static final int TABLE_BYTES = 32;

  private final NativeBlock sources;
  private final NativeBlock targets;

  IsaLCode(CodeShape shape) {
    super(shape, rows -> tables(shape.k(), rows));
    this.sources = new NativeBlock(shape.k() * Long.BYTES);
    this.targets = new NativeBlock(shape.n() * Long.BYTES);
  }

  private static NativeBlock tables(int k, byte[] rows) {
    NativeBlock tables = new NativeBlock(rows.length * TABLE_BYTES);
    IsaL.ec_init_tables(k, rows.length / k, rows, tables.address());
    return tables;
  }

  @Override
  void multiply(
      NativeBlock tables,
      @Nullable ByteBuffer[] from,
      @Nullable ByteBuffer[] to,
      int targetCount,
      int length) {
    int k = shape().k();
    try {
      for (int i = 0; i < k; i++) {
        sources.setPointer(i, NativeBlock.address(Fragments.present(from, i)));
      }
      for (int i = 0; i < targetCount; i++) {
        targets.setPointer(i, NativeBlock.address(Fragments.present(to, i)));
      }
      IsaL.ec_encode_data(
          length, k, targetCount, tables.address(), sources.address(), targets.address());
    } finally {
      // memory is freed with its buffers, and native code holds none of them
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(to);
      Reference.reachabilityFence(tables);
      Reference.reachabilityFence(this);
    }
  }
}
