package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.ReplyFlags;
import io.counterpart.cache.protocol.ReplyStatus;
import io.counterpart.cache.protocol.ServerReply;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/** What a server answers to {@code mg}. */
record ReadReply(GetOptions options, Consumer<GetOutcome> done) implements ReplyHandler {
  @Override
  public void replied(ServerReply reply) {
    if (reply.status() == ReplyStatus.VA || reply.status() == ReplyStatus.HD) {
      ByteBuf value = reply.value() == null ? Unpooled.EMPTY_BUFFER : reply.value();
      done.accept(new GetOutcome.Found(item(reply.flags(), value), value));
    } else {
      done.accept(new GetOutcome.None(Statuses.of(reply)));
    }
  }

  private MetaItem item(ReplyFlags flags, ByteBuf value) {
    return new MetaItem(
        options.value() ? value.readableBytes() : flags.sizeBytes(),
        flags.clientFlags(),
        flags.cas(),
        flags.ttlSeconds(),
        flags.idleSeconds(),
        flags.fetched(),
        options.binaryKey(),
        flags.has('W'),
        flags.has('X'),
        flags.has('Z'));
  }

  @Override
  public void lost(ServerLostException why) {
    done.accept(new GetOutcome.None(Status.UNAVAILABLE));
  }
}
