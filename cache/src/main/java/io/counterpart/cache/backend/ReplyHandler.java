package io.counterpart.cache.backend;

import io.counterpart.cache.protocol.server.ServerReply;
import java.util.function.Consumer;

/** Takes the outcome of one command: exactly one call of one method, on the event loop. */
public interface ReplyHandler {
  /** The server's answer. The handler releases it. */
  void replied(ServerReply reply);

  /** The server was lost before it answered: the command may or may not have been executed. */
  void lost(ServerLostException why);

  /** A handler of two functions. */
  static ReplyHandler of(Consumer<ServerReply> replied, Consumer<ServerLostException> lost) {
    return new ReplyHandler() {
      @Override
      public void replied(ServerReply reply) {
        replied.accept(reply);
      }

      @Override
      public void lost(ServerLostException why) {
        lost.accept(why);
      }
    };
  }
}
