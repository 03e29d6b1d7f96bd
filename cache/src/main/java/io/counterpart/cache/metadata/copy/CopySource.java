package io.counterpart.cache.metadata.copy;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A log that copies elsewhere are made of. Belongs to the thread of its log. */
public interface CopySource {
  /**
   * Answers a pull: at once if there are bytes, else when there are, or after a short time.
   *
   * @param answer called once, unless the log is closed before
   */
  void pull(CopyPull pull, Consumer<CopyPiece> answer);

  /** Checksum (CRC32C) of the first bytes of a file; empty if it is missing or shorter. */
  OptionalInt checksum(int file, int lengthBytes);

  /**
   * Whether nobody else can own the tier now. If not, copies are told nothing: they may have
   * another owner's log.
   */
  boolean isOwner();

  /** Local ports of the owner's connections to servers, as lines of a server and a port. */
  List<String> connections();
}
