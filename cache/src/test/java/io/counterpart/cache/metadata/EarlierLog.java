package io.counterpart.cache.metadata;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rewrites a log into the format of the version before tiers had ids. */
public final class EarlierLog {
  private EarlierLog() {}

  /** Removes the record of the tier from a log with one file, which nobody has open. */
  public static void make(Path directory) throws IOException {
    Path segment = LogCopy.lastSegment(directory);
    byte[] all = Files.readAllBytes(segment);
    ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    kept.write(all, 0, LogFileHeader.BYTES);
    for (int at = LogFileHeader.BYTES; at < all.length; ) {
      int length = Frame.HEADER_BYTES + Frame.bodyBytes(bytes, at);
      if (Frame.kind(bytes, at) != Frame.TIER) {
        kept.write(all, at, length);
      }
      at += length;
    }
    Files.write(segment, kept.toByteArray());
  }
}
