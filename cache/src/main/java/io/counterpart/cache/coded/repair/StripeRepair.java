package io.counterpart.cache.coded.repair;

import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.ObjectRepair.LostSlots;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.index.DataRings;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the items of a stripe that servers have lost, and has them restored. Belongs to the shard's
 * event loop.
 */
final class StripeRepair {
  private final Shard shard;
  private final Folding folding;
  private final ObjectRepair repair;
  private final ObjectRepair.Unrestored unrestored;

  /**
   * @param unrestored gets stripes that stay open, because a server has no memory for parity
   */
  StripeRepair(ShardServices services, ObjectRepair repair, ObjectRepair.Unrestored unrestored) {
    this.shard = services.shard();
    this.folding = services.folding();
    this.repair = repair;
    this.unrestored = unrestored;
  }

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
    if (shard.stripes().state(stripe) == StripeState.OPEN && shard.stripes().live(stripe) > 0) {
      // once it is sealed, the servers still lack its objects
      servers.forEach(
          server -> unrestored.unrestored(stripe, server, ObjectRepair.Reason.NO_MEMORY));
    }
    // a server that is lost meanwhile is restored anew when it is back
    List<ServerLink> used = servers.stream().filter(ServerLink::isUsable).toList();
    if (shard.stripes().state(stripe) != StripeState.SEALED || used.isEmpty()) {
      done.run();
      return;
    }
    ParityRepair.findMissing(
        shard,
        stripe,
        used,
        parity -> repair.restore(stripe, lostSlots(stripe, used), parity, done));
  }

  private List<LostSlots> lostSlots(int stripe, List<ServerLink> servers) {
    DataRings layout = new DataRings(shard.stripes().layout(stripe));
    List<LostSlots> lost = new ArrayList<>();
    for (ServerLink server : servers) {
      if (!shard.placement().involves(stripe, server)) {
        continue; // it has begun to leave since it was asked
      }
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
}
