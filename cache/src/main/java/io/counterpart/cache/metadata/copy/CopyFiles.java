package io.counterpart.cache.metadata.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads and writes the files of a copy. No state. */
final class CopyFiles {
  private static final int READ_BYTES = 1 << 20;

  private CopyFiles() {}

  /** Checksum (CRC32C) of the first bytes of a file, which has them. */
  static int checksum(Path file, int lengthBytes) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
    int left = lengthBytes;
    try (FileChannel channel = FileChannel.open(file)) {
      while (left > 0) {
        bytes.clear().limit(Math.min(left, READ_BYTES));
        int read = channel.read(bytes);
        if (read < 0) {
          throw new IOException(file + " has become shorter");
        }
        crc.update(bytes.flip());
        left -= read;
      }
    }
    return (int) crc.getValue();
  }

  static void write(FileChannel channel, int offset, byte[] bytes) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      channel.write(in, offset + in.position());
    }
  }

  static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
