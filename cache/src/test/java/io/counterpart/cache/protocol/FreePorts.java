package io.counterpart.cache.protocol;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers of tests. They stay free until they are used, also after a server was killed:
 * they are below those that the system gives to connections, and each process has a range of its
 * own, by a file lock that it holds until it ends. Thread-safe.
 */
final class FreePorts {
  private static final int FIRST = 18_700;
  private static final int RANGES = 7;
  private static final int PORTS = 2_000;
  private static final Range RANGE = Range.claim();
  private static final AtomicInteger next = new AtomicInteger();

  private FreePorts() {}

  /** A port without a listener. */
  static int next() {
    while (true) {
      int port = RANGE.first() + Math.floorMod(next.getAndIncrement(), PORTS);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException taken) {
        // the next one may be free
      }
    }
  }

  /**
   * @param file stays open and referenced: without it the range is free for others
   */
  private record Range(int first, FileChannel file) {
    static Range claim() {
      for (int range = 0; range < RANGES; range++) {
        Path path = Path.of(System.getProperty("java.io.tmpdir"), "counterpart-ports-" + range);
        try {
          FileChannel file =
              FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          if (file.tryLock() != null) {
            return new Range(FIRST + range * PORTS, file);
          }
          file.close();
        } catch (IOException notOurs) {
          // another user's
        }
      }
      throw new IllegalStateException(RANGES + " processes have all ports for tests");
    }
  }
}
