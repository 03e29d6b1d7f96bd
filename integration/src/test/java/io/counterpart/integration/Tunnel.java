package io.counterpart.integration;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a port of 127.0.0.1, until it is told not to. */
final class Tunnel implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final ServerSocket entry = new ServerSocket(0, 50, LOOPBACK);
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final int port;
  private volatile boolean blocked;

  Tunnel(int port) throws IOException {
    this.port = port;
    daemon(this::accept);
  }

  String address() {
    return "http://127.0.0.1:%d/".formatted(entry.getLocalPort());
  }

  /** Cuts every connection and takes no other. */
  void block() throws IOException {
    blocked = true;
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  void unblock() {
    blocked = false;
  }

  @Override
  public void close() throws IOException {
    entry.close();
    block();
  }

  private void accept() throws IOException {
    while (true) {
      Socket near = entry.accept();
      if (blocked) {
        near.close();
        continue;
      }
      Socket far = new Socket(LOOPBACK, port);
      sockets.add(near);
      sockets.add(far);
      if (blocked) {
        // since it was asked above: these came too late to be cut with the others
        near.close();
        far.close();
      }
      daemon(() -> pass(near, far));
      daemon(() -> pass(far, near));
    }
  }

  private static void pass(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  private interface Passing {
    void run() throws IOException;
  }

  private static void daemon(Passing passing) {
    Thread thread =
        new Thread(
            () -> {
              try {
                passing.run();
              } catch (IOException e) {
                // cut, which is what a tunnel is for here
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
