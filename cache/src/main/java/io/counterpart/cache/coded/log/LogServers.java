package io.counterpart.cache.coded.log;

import io.counterpart.cache.coded.log.LogServerChoice.Candidate;
import io.counterpart.cache.coded.server.Placement;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that get journal entries now: n − k + 1 servers of as many rings, so a copy of each
 * entry outlives the proxy and any n − k rings. All writes of the moment go to the same servers, so
 * their entries share few items. Other servers take over after a share of bytes, and as soon as one
 * cannot be used or is late. Belongs to the shard's event loop.
 */
public final class LogServers {
  /** Bytes of entries after which other servers take over, so that all get as many. */
  private static final int TURN_BYTES = 256 << 10;

  /** Length of an item that a server should have memory for. */
  private static final int USUAL_ITEM_BYTES = 32 << 10;

  private final Placement placement;
  private final ServerTable servers;
  private final int copies;

  private final LateServers<ServerLink> late = new LateServers<>(System::nanoTime);

  private Chosen current = new Chosen(List.of(), 0);

  private long version;
  private long bytesLeft;

  /**
   * The servers for an entry.
   *
   * @param rings of these servers, a bit each
   */
  record Chosen(List<ServerLink> servers, long rings) {}

  /**
   * @param copies of each entry
   */
  public LogServers(Placement placement, ServerTable servers, int copies) {
    this.placement = placement;
    this.servers = servers;
    this.copies = copies;
  }

  /**
   * The servers for an entry. An unusable one is among them only if too few rings have a usable
   * one: it lacks the entry, and so becomes stale.
   *
   * @param entryBytes size of the entry
   */
  Chosen take(int entryBytes) {
    bytesLeft -= entryBytes;
    if (bytesLeft < 0 || version != placement.map().version() || !areUsable()) {
      choose();
    }
    return current;
  }

  /**
   * As {@link #take}, with a certain server among them.
   *
   * @return null if that one should get no entry now, because it cannot be used, is late, or may
   *     have no memory; or if another one cannot be used
   */
  @Nullable Chosen takeWith(ServerLink one, int entryBytes) {
    long ring = ringBit(one);
    if (ring == 0
        || !one.isUsable()
        || isLate(one)
        || !one.memory().hasRoomForJournal(entryBytes + JournalWriter.OPENED_BYTES)) {
      return null;
    }
    Chosen chosen = take(entryBytes);
    if (!areUsable()) {
      return null;
    }
    return chosen.servers().contains(one) ? chosen : with(one, ring, chosen);
  }

  /** Has one server take the place of the one in its ring, or else of the last. */
  private Chosen with(ServerLink one, long ring, Chosen chosen) {
    List<ServerLink> others =
        chosen.servers().stream().filter(link -> ringBit(link) != ring).limit(copies - 1).toList();
    return chosen(Stream.concat(Stream.of(one), others.stream()).toList());
  }

  private Chosen chosen(List<ServerLink> links) {
    long rings = 0;
    for (ServerLink link : links) {
      rings |= ringBit(link);
    }
    return new Chosen(links, rings);
  }

  /** The bit of a server's ring. */
  long ringBit(ServerLink server) {
    return placement.map().contains(server.id()) ? 1L << placement.ring(server) : 0;
  }

  /** Makes other servers take over, because one had no memory. */
  void leave() {
    bytesLeft = 0;
  }

  /** Notes that a server has not answered for long; others take over. */
  void late(ServerLink server) {
    late.add(server);
    bytesLeft = 0;
  }

  /** Notes that a server has answered. */
  void answered(ServerLink server) {
    late.answered(server);
  }

  /** See {@link LateServers#beginUnneeded}. */
  void beginUnneeded(ServerLink server) {
    late.beginUnneeded(server);
    bytesLeft = 0;
  }

  /** See {@link LateServers#endUnneeded}. */
  void endUnneeded(ServerLink server) {
    late.endUnneeded(server);
  }

  /** The best usable server that answers, of none of these rings; null if there is none. */
  @Nullable ServerLink substitute(long without) {
    List<ServerLink> members =
        members().stream()
            .filter(link -> link.isUsable() && !isLate(link) && (ringBit(link) & without) == 0)
            .toList();
    List<Integer> best = LogServerChoice.of(members.stream().map(this::candidate).toList(), 1);
    return best.isEmpty() ? null : members.get(best.get(0));
  }

  private boolean areUsable() {
    for (ServerLink link : current.servers()) {
      if (!link.isUsable()) {
        return false;
      }
    }
    return !current.servers().isEmpty();
  }

  private void choose() {
    List<ServerLink> members = members();
    List<Integer> best = LogServerChoice.of(members.stream().map(this::candidate).toList(), copies);
    current = chosen(best.stream().map(members::get).toList());
    version = placement.map().version();
    bytesLeft = TURN_BYTES;
  }

  private List<ServerLink> members() {
    List<ServerLink> members = new ArrayList<>(servers.all());
    members.removeIf(link -> !placement.map().contains(link.id()));
    return members;
  }

  private Candidate candidate(ServerLink link) {
    return new Candidate(
        placement.ring(link),
        link.isUsable(),
        isLate(link),
        link.memory().mayHaveJournal(USUAL_ITEM_BYTES),
        link.memory().journalBytes());
  }

  private boolean isLate(ServerLink link) {
    return late.contains(link) || !link.lease().isHeld();
  }
}
