package io.counterpart.cache.coded;

import io.counterpart.cache.format.ParityFormat;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Gives servers that have lost their items what they should hold: objects are decoded, from what
 * the {@link RepairMode} says, and parity is encoded anew. Servers are restored one after the
 * other, stripe by stripe, beside clients' requests. Belongs to the shard's event loop. Paper:
 * ECHash §4.5.
 */
final class Restoration {
  private static final int STRIPES_AT_ONCE = 16;

  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final RepairMode mode;
  private final ArrayDeque<ServerLink> servers = new ArrayDeque<>();
  private int nextStripe;
  private int underWay;
  private boolean proceeding;

  Restoration(Shard shard, Folding folding, CodedStatistics statistics, RepairMode mode) {
    this.shard = shard;
    this.mode = mode;
    this.folding = folding;
    this.statistics = statistics;
  }

  /** Has a server restored that has lost what it had, after those before it. */
  void add(ServerLink server) {
    if (server == servers.peek()) {
      nextStripe = 0; // it was lost again
      return;
    }
    servers.remove(server);
    servers.add(server);
    if (servers.size() == 1) {
      nextStripe = 0;
      proceed();
    }
  }

  /** Servers that do not have all of their items yet. */
  int left() {
    return servers.size();
  }

  boolean isRestoring(ServerLink server) {
    return servers.contains(server);
  }

  /** Stripes to be looked at still, once for each server. */
  long stripesLeft() {
    long end = shard.stripes().end();
    return servers.isEmpty() ? 0 : servers.size() * end - nextStripe + underWay;
  }

  private void proceed() {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    for (ServerLink server = servers.peek(); server != null; server = servers.peek()) {
      if (nextStripe < shard.stripes().end()) {
        if (underWay == STRIPES_AT_ONCE) {
          break;
        }
        underWay++;
        restore(nextStripe++, server);
      } else if (underWay == 0) {
        servers.remove();
        nextStripe = 0;
      } else {
        break;
      }
    }
    proceeding = false;
  }

  private void restore(int stripe, ServerLink server) {
    Runnable done =
        () -> {
          shard.gates().leave(stripe);
          underWay--;
          proceed();
        };
    shard
        .gates()
        .enterAlone(
            stripe,
            () -> {
              if (shard.placement().involves(stripe, server)) {
                folding.foldAlone(stripe, () -> restoreAlone(stripe, server, done));
              } else {
                done.run();
              }
            });
  }

  private void restoreAlone(int stripe, ServerLink server, Runnable done) {
    if (shard.stripes().state(stripe) != StripeState.SEALED || !server.isUsable()) {
      done.run();
      return;
    }
    int ring = shard.placement().ring(server);
    DataRings layout = new DataRings(shard.stripes().layout(stripe));
    if (layout.holdsData(ring)) {
      restoreObjects(stripe, layout.chunk(ring), server, done);
    } else {
      restoreParity(stripe, server, done);
    }
  }

  private void restoreObjects(int stripe, int chunk, ServerLink server, Runnable done) {
    int slots = shard.slotsPerChunk(stripe);
    IntPredicate isTheirs =
        slot -> {
          byte[] key = shard.metadata().key(stripe, chunk, slot);
          return key != null && shard.placement().dataServer(KeyHash.of(key)) == server;
        };
    int[] theirs = IntStream.range(0, slots).filter(isTheirs).toArray();
    if (theirs.length == 0) {
      done.run();
      return;
    }
    switch (mode) {
      case CHUNK -> restoreChunk(stripe, chunk, theirs, done);
      case FRAGMENT -> restoreEach(stripe, chunk, theirs, done);
      case BATCHED -> restoreAll(stripe, chunk, theirs, done);
    }
  }

  /** Decodes the whole chunk, from all data of the others and parity, for these slots. */
  private void restoreChunk(int stripe, int chunk, int[] slots, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, statistics.repair()).without(chunk),
        read -> {
          boolean isDecoded =
              Arrays.stream(slots)
                  .allMatch(slot -> read.contentOf(new Place(stripe, chunk, slot)) != null);
          if (isDecoded) {
            write(read, stripe, chunk, slots, done);
          } else {
            restoreAll(stripe, chunk, slots, done); // more is lost: what there is of it is needed
          }
        });
  }

  /** Decodes object by object, each with parity of its own. */
  private void restoreEach(int stripe, int chunk, int[] slots, Runnable done) {
    Countdown countdown = new Countdown(slots.length, done);
    for (int slot : slots) {
      restoreAll(stripe, chunk, new int[] {slot}, countdown::oneLess);
    }
  }

  /** Decodes these slots together, from the objects of their columns and parity. */
  private void restoreAll(int stripe, int chunk, int[] slots, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.of(stripe, slots, statistics.repair()),
        read -> write(read, stripe, chunk, slots, done));
  }

  private void write(ColumnRead read, int stripe, int chunk, int[] slots, Runnable done) {
    Countdown countdown = new Countdown(slots.length + 1, done);
    for (int slot : slots) {
      Place place = new Place(stripe, chunk, slot);
      byte[] key = shard.metadata().key(place);
      byte[] record = read.wasMissing(place) ? RecordBytes.cut(read.contentOf(place)) : null;
      if (key == null || record == null) {
        countdown.oneLess();
        continue;
      }
      shard
          .items()
          .setRecord(
              Key.of(key),
              KeyHash.of(key),
              Unpooled.wrappedBuffer(record),
              stored -> {
                statistics.restored().add(record.length);
                countdown.oneLess();
              });
    }
    countdown.oneLess();
  }

  private void restoreParity(int stripe, ServerLink server, Runnable done) {
    int[] theirs =
        IntStream.range(0, shard.code().parityCount())
            .filter(i -> shard.placement().parityServer(stripe, i) == server)
            .toArray();
    if (theirs.length == 0) {
      done.run();
      return;
    }
    shard
        .items()
        .getParity(
            stripe,
            theirs[0],
            item -> {
              if (item == null) {
                int slots = shard.slotsPerChunk(stripe);
                statistics
                    .restoredParityItems()
                    .add(ParityFormat.HEADER_BYTES + slots * shard.slotBytes(stripe));
                folding.encodeAlone(stripe, statistics.repair(), done);
              } else {
                item.release();
                done.run();
              }
            });
  }
}
