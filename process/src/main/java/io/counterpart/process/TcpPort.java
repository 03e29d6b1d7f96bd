package io.counterpart.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;

/** TCP ports of this machine. Stateless. */
public final class TcpPort {
  private static final int FIRST = 10_000;
  private static final int OF_A_PROCESS = 20;
  private static final int PROCESSES = 997;

  private TcpPort() {}

  /**
   * A free port below those that the system gives to connections, so that it stays free until it is
   * used, and while its server is down. Each process looks from another one on.
   */
  public static int anyFree(String address) {
    int first = FIRST + (int) (ProcessHandle.current().pid() % PROCESSES) * OF_A_PROCESS;
    return IntStream.iterate(first, port -> port + 1)
        .filter(port -> isFree(address, port))
        .findFirst()
        .orElseThrow();
  }

  /** Whether nobody listens on a port of an address of this machine. */
  public static boolean isFree(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
