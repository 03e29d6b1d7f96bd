package io.counterpart.cache.coded.copies;

import io.counterpart.cache.metadata.LogFiles;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.copy.CopyPiece;
import io.counterpart.cache.metadata.copy.CopyPull;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.OptionalInt;

/** Reads a log for its copies. Belongs to the log's thread. */
final class LogPieces {
  private static final int MOST_BYTES = 256 << 10;

  private final MetadataLog log;

  LogPieces(MetadataLog log) {
    this.log = log;
  }

  /**
   * The bytes of the log from the place of a pull on.
   *
   * @param counts whether the copy that asks counts
   */
  CopyPiece of(CopyPull pull, boolean counts) {
    try {
      log.flush(); // a copy must not have what a crash takes from the owner
      LogFiles files = log.files();
      byte[] bytes = files.bytes(pull.file(), pull.offset(), MOST_BYTES);
      boolean isEnd = bytes != null && pull.offset() + bytes.length == files.length(pull.file());
      return new CopyPiece(
          files.start(),
          isEnd ? files.next(pull.file()) : 0,
          counts,
          bytes == null,
          log.end(),
          Objects.requireNonNullElse(bytes, new byte[0]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The answer to a copy that does not count any more. */
  CopyPiece none() {
    return new CopyPiece(log.files().start(), 0, false, false, log.end(), new byte[0]);
  }

  /** Checksum of the first bytes of a file; empty if it is missing or shorter. */
  OptionalInt checksum(int file, int lengthBytes) {
    try {
      return log.files().checksum(file, lengthBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
