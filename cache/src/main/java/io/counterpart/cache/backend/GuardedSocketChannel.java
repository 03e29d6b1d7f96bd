package io.counterpart.cache.backend;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.function.BooleanSupplier;

/**
 * A socket that passes bytes to the kernel only while a condition holds. A check when a command is
 * queued would not suffice: if the process stands still, or the socket is full, the command leaves
 * long afterwards. Only the gap between this check and the system call behind it remains. Held
 * bytes leave with the next flush under the condition. Belongs to its event loop.
 */
final class GuardedSocketChannel extends NioSocketChannel {
  private final BooleanSupplier maySend;

  GuardedSocketChannel(BooleanSupplier maySend) {
    this.maySend = maySend;
    config().setWriteSpinCount(1); // each system call has a check of its own
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer out) throws Exception {
    if (maySend.getAsBoolean()) {
      super.doWrite(out);
    } else {
      clearOpWrite(); // otherwise the loop would ask again and again
    }
  }
}
