package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A relay between a tier and a server that holds bytes back until the test releases them. */
final class HoldingRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> holds = new CompletableFuture<>();
  private final int port;
  private volatile @Nullable String held;

  /**
   * @param port of the server
   */
  HoldingRelay(int port) throws IOException {
    this.port = port;
    start(this::accept);
  }

  ServerId id() {
    return new ServerId("127.0.0.1:" + listener.getLocalPort());
  }

  /** Passes a request on no more, nor what follows it on its connection. */
  void hold(String request) {
    held = request;
  }

  void holdNothing() {
    held = null;
  }

  /** Done once a request has been held. */
  CompletableFuture<Void> holds() {
    return holds;
  }

  private static void start(Action action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (IOException e) {
                // a side has ended
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket tier = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
      tier.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.addAll(List.of(tier, server));
      start(() -> pass(tier, server, true));
      start(() -> pass(server, tier, false));
    }
  }

  private void pass(Socket from, Socket to, boolean toServer) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      boolean holding = false;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String request = held;
        if (toServer && request != null) {
          holding |= new String(buffer, 0, read, ISO_8859_1).contains(request);
        }
        if (holding) {
          holds.complete(null);
        } else {
          out.write(buffer, 0, read);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** May fail. */
  private interface Action {
    void run() throws IOException;
  }
}
