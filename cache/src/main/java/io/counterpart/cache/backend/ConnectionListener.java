package io.counterpart.cache.backend;

/** Observes the state of one connection. Called on the connection's event loop. */
public interface ConnectionListener {
  /**
   * The connection is open: commands can be sent. Called again after each {@link #lost}, when the
   * server is back.
   */
  void connected(ServerConnection connection);

  /**
   * The connection is lost, and the handlers of all its commands have been told. The connection
   * reconnects by itself.
   */
  void lost(ServerConnection connection, ServerLostException why);

  /**
   * A reply handler or this listener has thrown, so the state that it left is unknown. The
   * connection is closed for good, unless a listener ends all of its users.
   */
  default void faulted(ServerConnection connection, RuntimeException fault) {
    connection.close();
  }
}
