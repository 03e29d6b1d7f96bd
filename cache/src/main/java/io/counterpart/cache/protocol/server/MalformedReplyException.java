package io.counterpart.cache.protocol.server;

import java.net.ProtocolException;

/**
 * Thrown when a server sends bytes that are not a memcached answer. The following answers cannot be
 * found either, so the connection must be closed.
 */
public final class MalformedReplyException extends ProtocolException {

  private static final long serialVersionUID = 1;

  MalformedReplyException(String message) {
    super(message);
  }
}
