package io.counterpart.cluster.server;

import java.nio.file.Path;

/**
 * Where a server is.
 *
 * @param directory for all its files, its own, absolute
 * @param address loopback address
 */
public record ServerPlace(Path directory, String address, int port) {

  public ServerPlace {
    directory = directory.toAbsolutePath().normalize();
  }

  @Override
  public String toString() {
    return address + ":" + port;
  }
}
