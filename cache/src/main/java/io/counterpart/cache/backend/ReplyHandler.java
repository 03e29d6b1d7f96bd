package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.ServerReply;

/** Takes the outcome of one command; exactly one method is called, once, on the event loop. */
public interface ReplyHandler {
  /** The server's answer. Whoever takes it releases it. */
  void replied(ServerReply reply);

  /** The server was lost before it answered: whether it has done the command is not known. */
  void lost(ServerLostException why);
}
