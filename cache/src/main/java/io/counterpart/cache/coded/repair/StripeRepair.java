package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.settings.RepairMode;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.RecordBytes;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Restores the lost items of a stripe: decodes objects from the sources that {@link RepairMode}
 * selects, and encodes parity. A loss of parity reads all data of the stripe; lost objects are then
 * decoded from the same read. Belongs to the shard's event loop. Paper: ECHash §4.5.
 */
final class StripeRepair {
  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;
  private final RepairMode mode;
  private final ParityRepair parityRepair;
  private final Refused refused;

  /** Gets the objects that a repair could not restore for want of memory. */
  @FunctionalInterface
  interface Refused {
    /**
     * @param stripe the object's
     * @param server the one that has no memory for it
     */
    void refused(int stripe, ServerLink server);
  }

  StripeRepair(ShardServices services, RepairMode mode, Refused refused) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.statistics = services.statistics();
    this.mode = mode;
    this.parityRepair = new ParityRepair(services);
    this.refused = refused;
  }

  /** Objects of one chunk whose server has lost them. */
  private record LostSlots(int chunk, int[] slots) {}

  /** Restores these servers' items of a stripe, once alone in it. */
  void begin(int stripe, List<ServerLink> servers, Runnable done) {
    shard
        .gates()
        .enterAlone(
            stripe,
            done,
            end -> {
              List<ServerLink> theirs =
                  servers.stream()
                      .filter(server -> shard.placement().involves(stripe, server))
                      .toList();
              if (theirs.isEmpty()) {
                end.run();
              } else if (shard.stripes().state(stripe) == StripeState.OPEN) {
                folding.foldAlone(stripe, () -> restore(stripe, theirs, end));
              } else {
                restore(stripe, theirs, end);
              }
            });
  }

  private void restore(int stripe, List<ServerLink> servers, Runnable done) {
    // a server that is lost meanwhile is restored anew when it is back
    List<ServerLink> used = servers.stream().filter(ServerLink::isUsable).toList();
    if (shard.stripes().state(stripe) != StripeState.SEALED || used.isEmpty()) {
      done.run();
      return;
    }
    parityRepair.findMissing(
        stripe,
        used,
        parity -> {
          if (parity.length == 0) {
            folding.foldAlone(stripe, () -> restoreObjects(stripe, used, done));
          } else if (mode == RepairMode.BATCHED) {
            restoreTogether(stripe, lostSlots(stripe, used), parity, done);
          } else {
            restoreObjects(stripe, used, () -> restoreTogether(stripe, List.of(), parity, done));
          }
        });
  }

  /** Encodes parity from all data, and restores objects from the same reading. */
  private void restoreTogether(int stripe, List<LostSlots> lost, int[] parity, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, statistics.repair()),
        read -> write(read, stripe, lost, () -> parityRepair.write(stripe, parity, read, done)));
  }

  private List<LostSlots> lostSlots(int stripe, List<ServerLink> servers) {
    DataRings layout = new DataRings(shard.stripes().layout(stripe));
    List<LostSlots> lost = new ArrayList<>();
    for (ServerLink server : servers) {
      int ring = shard.placement().ring(server);
      if (layout.holdsData(ring)) {
        int chunk = layout.chunk(ring);
        int[] slots =
            IntStream.range(0, shard.slotsPerChunk(stripe))
                .filter(slot -> isOf(server, shard.metadata().key(stripe, chunk, slot)))
                .toArray();
        if (slots.length > 0) {
          lost.add(new LostSlots(chunk, slots));
        }
      }
    }
    return lost;
  }

  private boolean isOf(ServerLink server, byte @Nullable [] key) {
    return key != null && shard.placement().dataServer(KeyHash.of(key)) == server;
  }

  private void restoreObjects(int stripe, List<ServerLink> servers, Runnable done) {
    List<LostSlots> lost = lostSlots(stripe, servers);
    if (lost.isEmpty()) {
      done.run();
    } else if (mode == RepairMode.BATCHED) {
      restoreAll(stripe, lost, done);
    } else {
      restoreNext(stripe, lost.iterator(), done);
    }
  }

  private void restoreNext(int stripe, Iterator<LostSlots> lost, Runnable done) {
    if (!lost.hasNext()) {
      done.run();
      return;
    }
    LostSlots ofChunk = lost.next();
    Runnable next = () -> restoreNext(stripe, lost, done);
    switch (mode) {
      case CHUNK -> restoreChunk(stripe, ofChunk, next);
      case CHUNK_EACH -> restoreEach(ofChunk, next, (one, end) -> restoreChunk(stripe, one, end));
      default ->
          // each with its own reading of parity
          restoreEach(ofChunk, next, (one, end) -> restoreAll(stripe, List.of(one), end));
    }
  }

  /** Decodes the whole chunk for these slots, from all data of the other chunks and parity. */
  private void restoreChunk(int stripe, LostSlots lost, Runnable done) {
    ColumnRead.begin(
        shard,
        Columns.all(shard, stripe, statistics.repair()).without(lost.chunk()),
        read -> {
          boolean isDecoded =
              Arrays.stream(lost.slots())
                  .allMatch(slot -> read.contentOf(new Place(stripe, lost.chunk(), slot)) != null);
          if (isDecoded) {
            write(read, stripe, List.of(lost), done);
          } else {
            // more is lost: the remaining items are needed
            restoreAll(stripe, List.of(lost), done);
          }
        });
  }

  /** Restores object by object. */
  private static void restoreEach(
      LostSlots lost, Runnable done, BiConsumer<LostSlots, Runnable> restore) {
    Countdown countdown = new Countdown(lost.slots().length, done);
    for (int slot : lost.slots()) {
      restore.accept(new LostSlots(lost.chunk(), new int[] {slot}), countdown::oneLess);
    }
  }

  /** Decodes these slots together, from the other objects of their columns and parity. */
  private void restoreAll(int stripe, List<LostSlots> lost, Runnable done) {
    int[] columns =
        lost.stream().flatMapToInt(ofChunk -> Arrays.stream(ofChunk.slots())).distinct().toArray();
    ColumnRead.begin(
        shard,
        Columns.of(stripe, columns, statistics.repair()),
        read -> write(read, stripe, lost, done));
  }

  private void write(ColumnRead read, int stripe, List<LostSlots> lost, Runnable done) {
    int count = lost.stream().mapToInt(ofChunk -> ofChunk.slots().length).sum();
    Countdown countdown = new Countdown(count + 1, done);
    for (LostSlots ofChunk : lost) {
      for (int slot : ofChunk.slots()) {
        write(read, new Place(stripe, ofChunk.chunk(), slot), countdown::oneLess);
      }
    }
    countdown.oneLess();
  }

  private void write(ColumnRead read, Place place, Runnable done) {
    byte[] key = shard.metadata().key(place);
    byte[] record = read.wasMissing(place) ? RecordBytes.cut(read.contentOf(place)) : null;
    if (key == null || record == null) {
      done.run();
      return;
    }
    long hash = KeyHash.of(key);
    ServerLink server = shard.placement().dataServer(hash);
    shard
        .items()
        .setRecord(
            Key.of(key),
            hash,
            Unpooled.wrappedBuffer(record),
            stored -> {
              if (stored == Stored.DONE) {
                statistics.restored().add(record.length);
              } else if (stored == Stored.NO_MEMORY) {
                refused.refused(place.stripe(), server);
              }
              done.run();
            });
  }
}
