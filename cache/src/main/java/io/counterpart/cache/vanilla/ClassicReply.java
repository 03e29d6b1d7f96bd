package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.meta.MetaRequests;
import java.util.function.Consumer;

/**
 * The handler of a server's answer to {@code gets} and {@code gats} of one key, and to {@code
 * touch}.
 */
final class ClassicReply implements ReplyHandler {
  private final GetOptions options;
  private final Consumer<GetOutcome> done;
  private GetOutcome outcome = new GetOutcome.None(Status.NOT_FOUND);

  ClassicReply(GetOptions options, Consumer<GetOutcome> done) {
    this.options = options;
    this.done = done;
  }

  @Override
  public void replied(ServerReply reply) {
    switch (reply.status()) {
      case VALUE -> outcome = MetaRequests.found(reply, options);
      case END -> done.accept(outcome);
      case TOUCHED -> done.accept(MetaRequests.found(reply, options));
      default -> end(Statuses.of(reply));
    }
  }

  @Override
  public void lost(ServerLostException why) {
    end(Status.UNAVAILABLE);
  }

  private void end(Status why) {
    if (outcome instanceof GetOutcome.Found found) {
      found.value().release();
    }
    done.accept(new GetOutcome.None(why));
  }
}
