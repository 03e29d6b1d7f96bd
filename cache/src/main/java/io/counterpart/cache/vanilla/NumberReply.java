package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The handler of a server's answer to {@code ma}.
 *
 * @param created whether the object did not exist before; final once the answer comes
 */
record NumberReply(AtomicBoolean created, Consumer<NumberOutcome> done) implements ReplyHandler {
  @Override
  public void replied(ServerReply reply) {
    ByteBuf value = reply.value();
    if (value == null) {
      done.accept(NumberOutcome.not(Statuses.of(reply)));
      return;
    }
    long number = Long.parseUnsignedLong(value.toString(StandardCharsets.US_ASCII).strip());
    value.release();
    done.accept(
        new NumberOutcome(
            Status.DONE, number, created.get(), reply.flags().cas(), reply.flags().ttlSeconds()));
  }

  @Override
  public void lost(ServerLostException why) {
    done.accept(NumberOutcome.not(Status.UNAVAILABLE));
  }
}
