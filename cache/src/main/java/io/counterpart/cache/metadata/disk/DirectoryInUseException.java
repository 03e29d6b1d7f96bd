package io.counterpart.cache.metadata.disk;

import java.io.IOException;

/** Thrown when another log, in this process or another one, holds the directory. */
public final class DirectoryInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  DirectoryInUseException(String message) {
    super(message);
  }
}
