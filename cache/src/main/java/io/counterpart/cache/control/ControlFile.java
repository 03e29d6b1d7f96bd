package io.counterpart.cache.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** The file of a control socket. */
public final class ControlFile {
  /** Longest path of the socket; Linux takes 107 bytes, and the rest is for the file's own name. */
  private static final int MAX_BYTES = 100;

  private ControlFile() {}

  /**
   * Checks that a socket can have this path.
   *
   * @throws IllegalArgumentException with the path and the legal length
   */
  public static void requireLegal(Path file) {
    int bytes = file.toString().getBytes(UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s has %d bytes, legal for a socket's path: up to %d".formatted(file, bytes, MAX_BYTES));
    }
  }

  static UnixDomainSocketAddress address(Path file) {
    requireLegal(file);
    return UnixDomainSocketAddress.of(file);
  }
}
