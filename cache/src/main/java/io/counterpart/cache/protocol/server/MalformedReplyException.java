package io.counterpart.cache.protocol.server;

import java.net.ProtocolException;

/**
 * A server sent what is no memcached answer. What follows cannot be told apart either, so the
 * connection has to be closed.
 */
public final class MalformedReplyException extends ProtocolException {

  private static final long serialVersionUID = 1;

  MalformedReplyException(String message) {
    super(message);
  }
}
