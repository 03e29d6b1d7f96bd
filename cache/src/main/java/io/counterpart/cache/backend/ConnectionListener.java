package io.counterpart.cache.backend;

/** Listens to the state of a connection, on its event loop. */
public interface ConnectionListener {
  /** Commands can be sent. Called again after each {@link #lost}, when the server is back. */
  void connected(ServerConnection connection);

  /** The connection is gone, and all its commands have been told so. It is made again. */
  void lost(ServerConnection connection, ServerLostException why);

  /**
   * Whoever takes answers, or this listener, has thrown: what that has left half done is unknown.
   * The connection is closed for good, unless a listener ends all that uses it.
   */
  default void faulted(ServerConnection connection, RuntimeException fault) {
    connection.close();
  }
}
