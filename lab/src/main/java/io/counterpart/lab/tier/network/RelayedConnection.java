package io.counterpart.lab.tier.network;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;

/** A client's connection and the one to its server. Belongs to the relay's thread. */
final class RelayedConnection {
  private static final int READ_BYTES = 64 << 10;

  private final SocketChannel client;
  private final SocketChannel server;
  private final LongSupplier clock;
  private final DelayLine toServer;
  private final DelayLine toClient;
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES);
  private boolean closed;

  RelayedConnection(
      SocketChannel client, SocketChannel server, TierNetwork network, LongSupplier clock) {
    this.client = client;
    this.server = server;
    this.clock = clock;
    long oneWay = network.roundTrip().toNanos() / 2;
    toServer = new DelayLine(oneWay, network.bytesPerSecond());
    toClient = new DelayLine(oneWay, network.bytesPerSecond());
  }

  /** Takes the bytes that have arrived on one of the two channels. */
  void receive(Channel from) {
    incoming.clear();
    try {
      int read = (from == client ? client : server).read(incoming);
      if (read < 0) {
        close();
      } else if (read > 0) {
        ByteBuffer piece = ByteBuffer.allocate(read).put(incoming.flip()).flip();
        (from == client ? toServer : toClient).add(piece, clock.getAsLong());
      }
    } catch (IOException reset) {
      close();
    }
  }

  /** Passes on the due bytes; returns whether there were any. */
  boolean send() {
    if (closed) {
      return false;
    }
    try {
      long now = clock.getAsLong();
      boolean sent = send(toServer, server, now);
      sent |= send(toClient, client, now);
      return sent;
    } catch (IOException reset) {
      close();
      return true;
    }
  }

  private static boolean send(DelayLine line, SocketChannel target, long now) throws IOException {
    boolean sent = false;
    for (ByteBuffer due = line.due(now); due != null; due = line.due(now)) {
      sent = target.write(due) > 0 || sent;
      if (due.hasRemaining()) {
        break; // the target is full: later
      }
      line.remove();
    }
    return sent;
  }

  /** Whether bytes are under way. */
  boolean isWaiting() {
    return !closed && (!toServer.isEmpty() || !toClient.isEmpty());
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    closeQuietly(client);
    closeQuietly(server);
  }

  static void closeQuietly(Closeable channel) {
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      return;
    }
  }
}
