package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.ServerReply;

/** Takes the outcome of one command: exactly one call of one method, on the event loop. */
public interface ReplyHandler {
  /** The server's answer. The handler releases it. */
  void replied(ServerReply reply);

  /** The server was lost before it answered: the command may or may not have been executed. */
  void lost(ServerLostException why);
}
