package io.counterpart.cache.metadata;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * The first bytes of a log file: {@code magic u32 | format u16 | kind u8 | k u8 | number u32 |
 * checkpoint u32 | crc32c u32}, little-endian.
 *
 * @param number number of the log file, 1 and above
 * @param checkpoint 0 for a part of the log, else the number of the checkpoint's first file
 * @param dataChunks k
 */
record LogFileHeader(int number, int checkpoint, int dataChunks) {
  static final int BYTES = 20;

  /** "CPML" as bytes. */
  private static final int MAGIC = 0x4c4d5043;

  private static final short FORMAT = 1;
  private static final int CHECKSUM = 16;

  boolean isCheckpoint() {
    return checkpoint != 0;
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putShort(FORMAT);
    bytes.put((byte) (isCheckpoint() ? 1 : 0)).put((byte) dataChunks);
    bytes.putInt(number).putInt(checkpoint);
    bytes.putInt(DurableFiles.checksum(bytes, 0, CHECKSUM));
    return bytes.flip();
  }

  /**
   * Reads the header of a file.
   *
   * @throws DamagedLogException if there is none, or one of another format or number
   */
  static LogFileHeader decode(ByteBuffer bytes, Path file, int number) throws DamagedLogException {
    if (bytes.limit() < BYTES) {
      throw new DamagedLogException(file, 0, bytes.limit() + " bytes, legal: a header of " + BYTES);
    }
    if (bytes.getInt(0) != MAGIC
        || bytes.getInt(CHECKSUM) != DurableFiles.checksum(bytes, 0, CHECKSUM)) {
      throw new DamagedLogException(file, 0, "no header of a metadata log");
    }
    if (bytes.getShort(4) != FORMAT) {
      throw new DamagedLogException(file, 4, "format " + bytes.getShort(4) + ", legal: " + FORMAT);
    }
    if (bytes.getInt(8) != number) {
      throw new DamagedLogException(
          file,
          8,
          "segment " + bytes.getInt(8) + ", legal: " + number + " as the file's name says");
    }
    return new LogFileHeader(number, bytes.getInt(12), bytes.get(7));
  }
}
