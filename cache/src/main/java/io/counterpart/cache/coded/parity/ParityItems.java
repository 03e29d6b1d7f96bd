package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.format.ParityFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes parity items to their servers; those that all servers have taken are cached. The caller is
 * alone in the stripe. Belongs to the shard's event loop.
 */
final class ParityItems {
  private final Shard shard;
  private final ParityFormat format = new ParityFormat();

  ParityItems(Shard shard) {
    this.shard = shard;
  }

  /**
   * Writes all items of a stripe.
   *
   * @param parity null where an item is not known: the old one is deleted until it is encoded anew
   * @param folded sequence of the last write that the parity includes
   * @param tally counts the items
   * @param done gets the servers in use without their item: it was not known, or they had no memory
   */
  void write(
      int stripe,
      byte[] @Nullable [] parity,
      long folded,
      ParityTally tally,
      Consumer<Set<ServerLink>> done) {
    shard.recentParity().remove(stripe);
    Writing writing = new Writing(stripe, parity.length, done);
    for (int i = 0; i < parity.length; i++) {
      byte[] bytes = parity[i];
      ServerLink server = shard.placement().parityServer(stripe, i);
      if (bytes == null) {
        if (server.isUsable()) {
          writing.lacking.add(server);
        }
        shard.items().deleteParity(stripe, i, writing::oneLess);
      } else {
        int number = i;
        set(stripe, i, bytes, folded, tally, stored -> writing.take(number, bytes, server, stored));
      }
    }
  }

  /** Collects what becomes of each item. */
  private final class Writing {
    private final int stripe;
    private final byte[][] items;
    private final Set<ServerLink> lacking = new LinkedHashSet<>();
    private final Consumer<Set<ServerLink>> done;
    private int waiting;
    private int whole;

    Writing(int stripe, int count, Consumer<Set<ServerLink>> done) {
      this.stripe = stripe;
      this.items = new byte[count][];
      this.done = done;
      this.waiting = count;
    }

    void take(int number, byte[] bytes, ServerLink server, Stored stored) {
      if (stored == Stored.DONE) {
        items[number] = bytes;
        whole++;
      }
      if (stored == Stored.NO_MEMORY) {
        lacking.add(server);
      }
      oneLess();
    }

    void oneLess() {
      if (--waiting == 0) {
        if (whole == items.length) {
          shard.recentParity().put(stripe, items);
        }
        done.accept(lacking);
      }
    }
  }

  /**
   * Writes some of a sealed stripe's items, while nothing is pending.
   *
   * @param parity all parity chunks, encoded from the present data
   * @param folded the value in the other items
   * @param tally counts the items
   */
  void writeSome(
      int stripe, byte[][] parity, int[] numbers, long folded, ParityTally tally, Runnable done) {
    Countdown countdown = new Countdown(numbers.length, done);
    for (int i : numbers) {
      ServerLink server = shard.placement().parityServer(stripe, i);
      set(
          stripe,
          i,
          parity[i],
          folded,
          tally,
          stored -> {
            if (stored == Stored.NO_MEMORY) {
              shard.missingParity().add(stripe, List.of(), Set.of(server));
            }
            countdown.oneLess();
          });
    }
  }

  private void set(
      int stripe, int i, byte[] bytes, long folded, ParityTally tally, Consumer<Stored> done) {
    ByteBuf item =
        PooledByteBufAllocator.DEFAULT.directBuffer(ParityFormat.HEADER_BYTES + bytes.length);
    format.encode(
        new ParityFormat.Parity(
            i, shard.slotsPerChunk(stripe), folded, Unpooled.wrappedBuffer(bytes)),
        item);
    tally.written().add(item.readableBytes());
    shard.items().setParity(stripe, i, item, done);
    item.release();
  }
}
