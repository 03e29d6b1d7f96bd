package io.counterpart.cache.metadata;

import java.io.IOException;

/** Another log has the directory, of this process or of another one. */
public final class DirectoryInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  DirectoryInUseException(String message) {
    super(message);
  }
}
