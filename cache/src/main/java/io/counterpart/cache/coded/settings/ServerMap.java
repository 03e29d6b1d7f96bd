package io.counterpart.cache.coded.settings;

import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.ServerId;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The places of stripes' chunks: the server of each key and each parity chunk, for one set of
 * servers. A stripe's layout is the mask of the rings that hold its data; the scheme defines what a
 * ring is. Immutable. Belongs to the shard's event loop.
 */
public interface ServerMap {
  /** Grows with every change of the servers. */
  long version();

  /** All servers, by name. */
  List<ServerId> servers();

  boolean contains(ServerId server);

  /** Number of rings, at most 64; rings are numbered from 0. */
  int ringCount();

  /**
   * Ring of a server.
   *
   * @throws IllegalArgumentException if the server is not in this map
   */
  int ring(ServerId server);

  /** Ring of a key, by its hash: a write without a place takes a slot there. */
  int ring(long keyHash);

  /**
   * The rings whose chunks may have a key's object.
   *
   * @return a mask, as a layout is
   */
  long rings(long keyHash);

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
   * @param freeSlots number of free slots that a ring has already
   */
  long layout(int ring, IntUnaryOperator freeSlots);

  /** Arcs whose keys have another server than in an earlier map; each of one ring. */
  List<MovingArc> movingArcs(ServerMap before);

  /** The form of the map in the metadata. */
  Topology topology(int step);

  /**
   * The successive maps that add servers and keep every object readable.
   *
   * @param failed {@code Placement.ringsDown} now
   * @throws IllegalArgumentException if a server is there already or named twice, or the change is
   *     not possible now
   */
  List<ServerMap> adding(List<ServerId> added, int failed);

  /**
   * The successive maps that remove servers.
   *
   * @throws IllegalArgumentException if a server is unknown or named twice, too few servers would
   *     remain, or the change is not possible now
   */
  List<ServerMap> removing(List<ServerId> removed, int failed);
}
