package io.counterpart.cache.format;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C over parts of buffers. Not thread-safe. */
final class Checksum {
  private final CRC32C crc = new CRC32C();

  /** Checksum of a part of one buffer. */
  int of(ByteBuf bytes, int index, int length) {
    crc.reset();
    add(bytes, index, length);
    return (int) crc.getValue();
  }

  /** Checksum of an array, then a part of a buffer. */
  int of(byte[] first, ByteBuf second, int index, int length) {
    crc.reset();
    crc.update(first);
    add(second, index, length);
    return (int) crc.getValue();
  }

  private void add(ByteBuf bytes, int index, int length) {
    if (bytes.hasArray()) {
      crc.update(bytes.array(), bytes.arrayOffset() + index, length);
    } else if (bytes.nioBufferCount() == 1) {
      crc.update(bytes.internalNioBuffer(index, length));
    } else {
      for (ByteBuffer part : bytes.nioBuffers(index, length)) {
        crc.update(part);
      }
    }
  }
}
