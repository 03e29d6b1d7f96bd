package io.counterpart.cache.metadata.copy;

import java.io.IOException;
import java.util.OptionalInt;

/** The owner of a log as one of its copies sees it. Calls wait for the answer. */
public interface CopyOwner {
  /**
   * Asks for bytes of the log; waits a short time for some.
   *
   * @throws IOException if the owner does not answer
   */
  CopyPiece pull(CopyPull pull) throws IOException, InterruptedException;

  /**
   * Asks for the checksum (CRC32C) of the first bytes of a file.
   *
   * @return empty if the owner has no such bytes
   * @throws IOException if the owner does not answer
   */
  OptionalInt checksum(int file, int lengthBytes) throws IOException, InterruptedException;
}
