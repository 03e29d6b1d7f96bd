package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import java.util.function.Consumer;

/**
 * The handler of a server's answer to {@code me}: a key, and its properties, of which the expiry is
 * the first.
 */
record FactsReply(Consumer<String> done) implements ReplyHandler {
  private static final String FIRST = " exp=";

  @Override
  public void replied(ServerReply reply) {
    int first = reply.text().lastIndexOf(FIRST);
    done.accept(
        reply.status() == ReplyStatus.ME && first >= 0 ? reply.text().substring(first + 1) : "");
  }

  @Override
  public void lost(ServerLostException why) {
    done.accept("");
  }
}
