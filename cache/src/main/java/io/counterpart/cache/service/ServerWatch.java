package io.counterpart.cache.service;

import io.counterpart.cache.backend.ConnectionListener;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tracks the state of the connection to one server, for readers on other threads. */
final class ServerWatch implements ConnectionListener {
  private static final Logger logger = LoggerFactory.getLogger(ServerWatch.class);

  private final ServerAddress server;
  private final Consumer<RuntimeException> fault;
  private final CompletableFuture<Void> firstConnected = new CompletableFuture<>();
  private final LongAdder losses = new LongAdder();
  private volatile boolean connected;
  private volatile boolean closing;

  /**
   * @param fault takes exceptions of those who handle the server's answers
   */
  ServerWatch(ServerAddress server, Consumer<RuntimeException> fault) {
    this.server = server;
    this.fault = fault;
  }

  ServerAddress server() {
    return server;
  }

  boolean isConnected() {
    return connected;
  }

  /** Number of times that the connection was lost. */
  long losses() {
    return losses.sum();
  }

  /** Done once the server has been reached. */
  CompletableFuture<Void> firstConnected() {
    return firstConnected;
  }

  /** Makes further losses expected: they are no longer logged. */
  void closing() {
    closing = true;
  }

  @Override
  public void connected(ServerConnection connection) {
    connected = true;
    logger.info("connected to {}", server);
    firstConnected.complete(null);
  }

  @Override
  public void lost(ServerConnection connection, ServerLostException why) {
    connected = false;
    if (!closing) {
      losses.increment();
      logger.warn("{}", why.getMessage());
    }
  }

  @Override
  public void faulted(ServerConnection connection, RuntimeException thrown) {
    fault.accept(thrown);
  }
}
