package io.counterpart.cache.coded;

import io.counterpart.cache.coded.repair.Restoration;
import io.counterpart.cache.coded.scaling.Scaling;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot of a shard's state.
 *
 * @param objects objects in the index, expired but undeleted ones included
 * @param openStripes stripes whose parity is not encoded yet
 * @param slots slots of all stripes
 * @param ringsDown rings with an unusable server
 * @param indexBytes memory of the object and the stripe index, outside the heap
 * @param journalBytes on servers, all copies
 * @param stripesToRestore stripes that repair has still to visit, once for each server to restore,
 *     and stripes that lack parity because a server had no memory for it
 * @param stripesToMove stripes that a change of servers has still to visit, once for each wave
 * @param servers servers in rings, and servers that are joining or leaving them
 */
public record CodedStatus(
    long objects,
    int openStripes,
    int sealedStripes,
    long slots,
    int ringsDown,
    long indexBytes,
    long journalBytes,
    long stripesToRestore,
    long stripesToMove,
    List<Server> servers) {

  /** The state of a server. */
  public enum ServerState {
    /** In use, with all of its items. */
    UP,
    /** In use, while repair restores its items. */
    RESTORING,
    /** Connected, but not in use yet. */
    JOINING,
    /** Not connected. */
    DOWN
  }

  /**
   * One server.
   *
   * @param ring from 0; −1 if the server is not in a ring yet, or no longer
   * @param losses number of times that the connection was lost
   */
  public record Server(ServerId id, int ring, ServerState state, long losses) {}

  public CodedStatus {
    servers = List.copyOf(servers);
  }

  static CodedStatus of(Shard shard, ServerTable table, Restoration restoration, Scaling scaling) {
    List<Server> servers = new ArrayList<>();
    for (ServerLink link : table.all()) {
      ServerMap map = shard.placement().map();
      int ring = map.contains(link.id()) ? map.ring(link.id()) : -1;
      servers.add(new Server(link.id(), ring, state(link, restoration), link.losses()));
    }
    int open = shard.stripes().open();
    return new CodedStatus(
        shard.objects().size(),
        open,
        shard.stripes().size() - open,
        shard.stripes().slotsPerChunk() * shard.code().k(),
        shard.placement().ringsDown(),
        shard.objects().bytesUsed() + shard.stripes().bytesUsed(),
        shard.journal().bytes(),
        restoration.stripesLeft() + shard.missingParity().size(),
        scaling.stripesLeft(),
        servers);
  }

  private static ServerState state(ServerLink link, Restoration restoration) {
    if (!link.isUsable()) {
      return link.connection().isOpen() ? ServerState.JOINING : ServerState.DOWN;
    }
    return restoration.isRestoring(link) ? ServerState.RESTORING : ServerState.UP;
  }
}
