package io.counterpart.cache.coding;

import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A block of native memory with a fixed address. Freed when this object is no longer reachable. Not
 * thread-safe.
 */
final class NativeBlock {

  private final ByteBuffer bytes;
  private final long address;

  NativeBlock(int sizeBytes) {
    bytes = ByteBuffer.allocateDirect(sizeBytes).order(ByteOrder.nativeOrder());
    address = address(bytes);
  }

  /** Whether this JVM exposes the addresses of direct buffers, 64 bits wide. */
  static boolean isSupported() {
    return PlatformDependent.hasUnsafe() && Long.BYTES == PlatformDependent.addressSize();
  }

  /**
   * Address of the byte at a direct buffer's position, as Netty reads it: JNA's own way allocates
   * an object and takes a hundred nanoseconds for each buffer.
   */
  static long address(ByteBuffer direct) {
    return PlatformDependent.directBufferAddress(direct) + direct.position();
  }

  long address() {
    return address;
  }

  void setPointer(int index, long target) {
    bytes.putLong(index * Long.BYTES, target);
  }
}
