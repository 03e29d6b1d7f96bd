package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Finds the end of the last whole record in a log's file whose bytes come in pieces, cut anywhere.
 * Follows the records' lengths, and checks nothing.
 */
public final class RecordEnds {
  /** Length and kind of the record that has begun. */
  private final ByteBuffer head =
      ByteBuffer.allocate(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private int at;

  /** End of the file's header, or of the present record's head or body. */
  private int end = LogFileHeader.BYTES;

  private boolean isInHead;
  private int whole;

  /** After the first bytes of a file, which has them. */
  public static RecordEnds of(Path file, int lengthBytes) throws IOException {
    RecordEnds ends = new RecordEnds();
    if (lengthBytes > 0) {
      ends.take(LogFiles.map(file).limit(lengthBytes));
    }
    return ends;
  }

  /** Takes the bytes that follow. */
  public void take(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      int part = Math.min(bytes.remaining(), end - at);
      if (isInHead) {
        head.put(bytes.slice(bytes.position(), part));
      }
      bytes.position(bytes.position() + part);
      at += part;
      if (at == end) {
        next();
      }
    }
  }

  private void next() {
    int body = isInHead ? Frame.bodyBytes(head, 0) : 0;
    isInHead = body == 0;
    if (isInHead) {
      whole = at;
      head.clear();
    }
    end = at + (isInHead ? Frame.HEADER_BYTES : body);
  }

  /** Offset behind the last whole record, or behind the file's header; 0 if that is missing. */
  public int whole() {
    return whole;
  }
}
