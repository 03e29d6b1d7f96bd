package io.counterpart.cluster.server;

/** Thrown when a server does not start; the message has the end of its log. */
public final class ServerStartException extends RuntimeException {

  ServerStartException(String server, String cause) {
    super(server + " did not start: " + cause);
  }
}
