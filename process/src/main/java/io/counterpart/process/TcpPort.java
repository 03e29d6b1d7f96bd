package io.counterpart.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** TCP ports of this machine. Stateless. */
public final class TcpPort {
  private TcpPort() {}

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
