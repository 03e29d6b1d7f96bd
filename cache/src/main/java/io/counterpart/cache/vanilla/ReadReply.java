package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.meta.MetaRequests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/** The handler of a server's answer to {@code mg}. */
record ReadReply(GetOptions options, Consumer<GetOutcome> done) implements ReplyHandler {
  @Override
  public void replied(ServerReply reply) {
    if (reply.status() == ReplyStatus.VA || reply.status() == ReplyStatus.HD) {
      ByteBuf value = reply.value() == null ? Unpooled.EMPTY_BUFFER : reply.value();
      MetaItem item = MetaRequests.item(reply.flags(), value.readableBytes(), options);
      done.accept(new GetOutcome.Found(item, value));
    } else {
      done.accept(new GetOutcome.None(Statuses.of(reply)));
    }
  }

  @Override
  public void lost(ServerLostException why) {
    done.accept(new GetOutcome.None(Status.UNAVAILABLE));
  }
}
