package io.counterpart.cassandra.engine.server;

/** A server takes long, and the memory of a flush is needed. The server answers: it is not away. */
public final class SlowServerException extends RuntimeException {
  SlowServerException(String message) {
    super(message);
  }
}
