package io.counterpart.cache.backend;

import org.jspecify.annotations.Nullable;

/**
 * Signals that a server is unreachable, has closed its connection, does not answer, or sends a
 * malformed answer.
 */
public final class ServerLostException extends Exception {
  private static final long serialVersionUID = 1L;

  ServerLostException(ServerAddress server, String what, @Nullable Throwable cause) {
    super("server %s %s".formatted(server, what), cause);
  }
}
