package io.counterpart.cache.metadata;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when bytes of the metadata log that a sync covered have changed. Nothing is skipped. */
public final class DamagedLogException extends IOException {
  DamagedLogException(Path file, long offset, String what) {
    super(file + " is damaged at byte " + offset + ": " + what);
  }

  DamagedLogException(Path file, long offset, RuntimeException cause) {
    this(file, offset, "illegal record: " + cause.getMessage());
    initCause(cause);
  }
}
