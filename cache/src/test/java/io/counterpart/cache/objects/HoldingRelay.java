package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A relay between a tier and a server that holds bytes back until the test releases them. */
final class HoldingRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int SLOW_BYTES = 64 << 10;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private final int port;
  private volatile CompletableFuture<Void> holds = new CompletableFuture<>();
  private volatile @Nullable String held;
  private volatile int slowMillis;
  private volatile Replacement replaced = new Replacement("", "");
  private volatile boolean isOut;
  private boolean answersHeld;

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

  /** The servers of a tier, the first of them through this relay. */
  List<ServerId> beforeTheFirstOf(CodedServers servers) {
    List<ServerId> ids = new ArrayList<>(servers.ids());
    ids.set(0, id());
    return ids;
  }

  /** Settings of a tier with the code (5, 3), its first server through this relay. */
  CodedSettings settings(
      CodedServers servers, Path metadata, long journalBytes, ConnectionSettings connections) {
    return new CodedSettings(
        new CodeShape(5, 3),
        beforeTheFirstOf(servers),
        metadata,
        journalBytes,
        Duration.ofSeconds(2),
        connections);
  }

  /** The same for tests that hold a server for long: nobody is given up meanwhile. */
  CodedSettings patientSettings(CodedServers servers, Path metadata) {
    return settings(
        servers, metadata, 1 << 20, CodedClient.answeringWithin(Duration.ofSeconds(20)));
  }

  /** Passes a request on no more, nor what follows it on its connection. */
  void hold(String request) {
    holds = new CompletableFuture<>();
    held = request;
  }

  void holdNothing() {
    held = null;
  }

  /** Passes a request on as another one of the same length; empty for none. */
  void replace(String request, String other) {
    replaced = new Replacement(request, other);
  }

  /** Both at once: a request with nothing in its place would be none. */
  private record Replacement(String request, String other) {
    String in(String text) {
      return request.isEmpty() ? text : text.replace(request, other);
    }
  }

  /** Done once a request has been held. */
  CompletableFuture<Void> holds() {
    return holds;
  }

  /** Passes on what is held. Done once the server has answered to it. */
  CompletableFuture<Void> release() throws IOException {
    held = null;
    CompletableFuture<Void> answered = new CompletableFuture<>();
    for (Connection connection : connections) {
      connection.release(answered);
    }
    return answered;
  }

  /** Passes no answers on. */
  synchronized void holdAnswers() {
    answersHeld = true;
  }

  synchronized void passAnswers() {
    answersHeld = false;
    notifyAll();
  }

  private synchronized void awaitAnswersPass() throws IOException {
    try {
      while (answersHeld) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Passes answers on slowly, each connection at a pace of its own. */
  void slow(int millisPer64KiB) {
    slowMillis = millisPer64KiB;
  }

  /** Whether the tier has sent something. */
  boolean hasGot(String text) {
    return connections.stream().anyMatch(connection -> connection.hasGot(text));
  }

  /** Ends all connections; others can be made. */
  void cut() throws IOException {
    for (Connection connection : connections) {
      connection.tier.close();
      connection.server.close();
    }
  }

  /** Ends all connections, and lets none be made until {@link #comeBack}. */
  void goOut() throws IOException {
    isOut = true;
    cut();
  }

  void comeBack() {
    isOut = false;
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
      try {
        connect(tier);
      } catch (IOException e) {
        tier.close(); // the server is down
      }
    }
  }

  private void connect(Socket tier) throws IOException {
    if (isOut) {
      throw new IOException("no way to the server");
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    // the tier waits for the end of a connection from a port that one of its own lost ones had
    Socket server = new Socket(loopback, port, loopback, MemcachedProcess.freePort());
    tier.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Connection connection = new Connection(tier, server);
    connections.add(connection);
    if (isOut) {
      server.close(); // it was connected beside the cut
      throw new IOException("no way to the server any more");
    }
    start(connection::passRequests);
    start(connection::passAnswers);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  /** One connection of the tier, and the one to the server that it is passed on to. */
  private final class Connection {
    private final Socket tier;
    private final Socket server;
    private final StringBuilder got = new StringBuilder();
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean holding;
    private @Nullable CompletableFuture<Void> answered;

    Connection(Socket tier, Socket server) {
      this.tier = tier;
      this.server = server;
    }

    private void passRequests() throws IOException {
      try (tier;
          server) {
        InputStream in = tier.getInputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          pass(buffer, read);
        }
      }
    }

    private synchronized void pass(byte[] buffer, int length) throws IOException {
      String text = new String(buffer, 0, length, ISO_8859_1);
      String request = held;
      got.append(text);
      boolean isHeld = request != null && text.contains(request);
      holding |= isHeld;
      if (holding) {
        kept.write(buffer, 0, length);
        if (isHeld) {
          holds.complete(null); // not by what follows an earlier request
        }
      } else {
        server.getOutputStream().write(replaced.in(text).getBytes(ISO_8859_1));
      }
    }

    private void passAnswers() throws IOException {
      try (tier;
          server) {
        InputStream in = server.getInputStream();
        OutputStream out = tier.getOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer, 0, most()); read >= 0; read = in.read(buffer, 0, most())) {
          awaitAnswersPass();
          out.write(buffer, 0, read);
          answered();
          dawdle((long) slowMillis * read / SLOW_BYTES);
        }
      }
    }

    private int most() {
      return slowMillis > 0 ? SLOW_BYTES : BUFFER_BYTES;
    }

    private void dawdle(long millis) throws IOException {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    private synchronized void answered() {
      if (answered != null) {
        answered.complete(null);
      }
    }

    private synchronized void release(CompletableFuture<Void> whenAnswered) throws IOException {
      if (holding && !server.isClosed()) {
        holding = false;
        answered = whenAnswered;
        kept.writeTo(server.getOutputStream());
        kept.reset();
      }
    }

    private synchronized boolean hasGot(String text) {
      return got.indexOf(text) >= 0;
    }
  }

  /** May fail. */
  private interface Action {
    void run() throws IOException;
  }
}
