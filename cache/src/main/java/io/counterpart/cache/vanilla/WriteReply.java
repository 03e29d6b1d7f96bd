package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.function.Consumer;

/** The handler of a server's answer to {@code ms}, {@code md} and {@code flush_all}. */
record WriteReply(Consumer<WriteOutcome> done) implements ReplyHandler {
  @Override
  public void replied(ServerReply reply) {
    done.accept(new WriteOutcome(Statuses.of(reply), reply.flags().cas()));
  }

  @Override
  public void lost(ServerLostException why) {
    done.accept(WriteOutcome.not(Status.UNAVAILABLE));
  }
}
