package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.format.ParityFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A verified parity item of a server.
 *
 * @param bytes the parity, of any length; may be changed
 * @param folded sequence of the last write that is in them
 */
public record ParityItem(byte[] bytes, long folded) {
  /**
   * Reads an item.
   *
   * @param number of the stripe's parity chunk
   * @param tally counts what is found, damaged or not
   * @param done gets null if there is no such item
   */
  public static void read(
      Shard shard, int stripe, int number, Tally tally, Consumer<@Nullable ParityItem> done) {
    shard
        .items()
        .getParity(
            stripe, number, item -> done.accept(item == null ? null : take(item, number, tally)));
  }

  private static @Nullable ParityItem take(ByteBuf item, int number, Tally tally) {
    tally.add(item.readableBytes());
    ParityFormat.Parity read = new ParityFormat().decode(item);
    ParityItem taken =
        read == null || read.parity() != number
            ? null
            : new ParityItem(ByteBufUtil.getBytes(read.bytes()), read.folded());
    item.release();
    return taken;
  }
}
