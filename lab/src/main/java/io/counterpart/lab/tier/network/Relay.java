package io.counterpart.lab.tier.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A slower network in front of memcached servers on 127.0.0.1: delays bytes by half of the round
 * trip in each direction, and caps their rate. One thread serves all connections. While bytes are
 * under way it sleeps for a few microseconds at a time, because the selector's timers are too
 * coarse. Order is kept within a connection and direction. Listening is for one thread.
 */
public final class Relay implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long NAP_NANOS = 5_000;
  private static final long IDLE_MILLIS = 100;

  private final TierNetwork network;
  private final Selector selector;
  private final LongSupplier clock = System::nanoTime;
  private final List<RelayedConnection> connections = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "lab-relay");
  private volatile boolean closed;

  private Relay(TierNetwork network) throws IOException {
    this.network = network;
    selector = Selector.open();
  }

  /** Starts the relay. */
  public static Relay start(TierNetwork network) throws IOException {
    Relay relay = new Relay(network);
    relay.thread.setDaemon(true);
    relay.thread.start();
    return relay;
  }

  /**
   * Relays one more server.
   *
   * @return the port for its clients
   */
  public int listen(int serverPort) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(LOOPBACK, 0));
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT, serverPort);
      selector.wakeup();
      return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    } catch (IOException | RuntimeException failure) {
      listener.close();
      throw failure;
    }
  }

  private void run() {
    while (!closed) {
      try {
        turn();
      } catch (IOException e) {
        throw new IllegalStateException("the relay cannot wait for bytes", e);
      }
    }
    connections.forEach(RelayedConnection::close);
    selector.keys().forEach(key -> RelayedConnection.closeQuietly(key.channel()));
    RelayedConnection.closeQuietly(selector);
  }

  private void turn() throws IOException {
    boolean waiting = connections.stream().anyMatch(RelayedConnection::isWaiting);
    if (waiting) {
      selector.selectNow();
    } else {
      selector.select(IDLE_MILLIS);
    }
    boolean moved = false;
    for (SelectionKey key : selector.selectedKeys()) {
      moved = true;
      if (!key.isValid()) {
        continue;
      }
      if (key.attachment() instanceof RelayedConnection connection) {
        connection.receive(key.channel());
      } else {
        accept(key);
      }
    }
    selector.selectedKeys().clear();
    for (RelayedConnection connection : connections) {
      moved |= connection.send();
    }
    connections.removeIf(RelayedConnection::isClosed);
    if (waiting && !moved) {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  private void accept(SelectionKey key) throws IOException {
    SocketChannel client = ((ServerSocketChannel) key.channel()).accept();
    if (client == null) {
      return;
    }
    SocketChannel server = SocketChannel.open();
    try {
      // on loopback it is connected at once, or refused
      server.connect(new InetSocketAddress(LOOPBACK, (Integer) key.attachment()));
      RelayedConnection connection = new RelayedConnection(client, server, network, clock);
      for (SocketChannel channel : List.of(client, server)) {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, SelectionKey.OP_READ, connection);
      }
      connections.add(connection);
    } catch (IOException refused) {
      // the client sees its connection closed, as it would see that of a dead server
      RelayedConnection.closeQuietly(client);
      RelayedConnection.closeQuietly(server);
    }
  }

  /** Ends every connection; returns when the thread has ended. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
