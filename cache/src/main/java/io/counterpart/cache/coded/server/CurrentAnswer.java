package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Passes an answer on if it is still awaited; a lost connection drops it. */
record CurrentAnswer(BooleanSupplier isCurrent, Consumer<ServerReply> answered)
    implements ReplyHandler {
  @Override
  public void replied(ServerReply reply) {
    if (isCurrent.getAsBoolean()) {
      answered.accept(reply);
    } else {
      reply.release();
    }
  }

  @Override
  public void lost(ServerLostException why) {}
}
