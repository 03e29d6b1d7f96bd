package io.counterpart.cache.coded;

import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.ServerId;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The server of each key and each parity chunk, for one set of servers. A stripe's layout is the
 * mask of the rings that hold its data; the scheme defines what a ring is. Immutable. Belongs to
 * the shard's event loop.
 */
interface ServerMap {
  /** Grows with every change of the servers. */
  long version();

  /** All servers, by name. */
  List<ServerId> servers();

  boolean contains(ServerId server);

  /** Rings are numbered from 0 to below this, at most 64. */
  int ringCount();

  /**
   * Ring of a server.
   *
   * @throws IllegalArgumentException if it is not one of these
   */
  int ring(ServerId server);

  /** Ring of a key, by its hash. */
  int ring(long keyHash);

  /** Server of a key, by its hash. */
  ServerId server(long keyHash);

  /**
   * Server of a parity chunk, never one that holds data of the stripe.
   *
   * @param parity 0 to n − k − 1
   */
  ServerId parityServer(int stripe, long layout, int parity);

  /**
   * Rings for the data of a new stripe.
   *
   * @param ring one of them
   * @param freeSlots slots that a ring has already, which are not taken
   */
  long layout(int ring, IntUnaryOperator freeSlots);

  /** Arcs whose keys have another server than in an earlier map; each of one ring. */
  List<MovingArc> movingArcs(ServerMap before);

  /** As the metadata keep it. */
  Topology topology(int step);

  /**
   * Maps that lead, one after the other, to one with more servers, so that every object stays
   * readable.
   *
   * @param failed {@link Placement#ringsDown} now
   * @throws IllegalArgumentException if a server is there already or named twice, or the change is
   *     not possible now
   */
  List<ServerMap> adding(List<ServerId> added, int failed);

  /**
   * Maps that lead to one without some servers.
   *
   * @throws IllegalArgumentException if a server is unknown or named twice, too few would be left,
   *     or the change is not possible now
   */
  List<ServerMap> removing(List<ServerId> removed, int failed);
}
