package io.counterpart.cache.coded.settings;

import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.MovingArc;
import io.counterpart.cache.ring.RingChange;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Servers in n hash rings. A chunk belongs to a ring, so no stripe changes when the servers of a
 * ring do. Immutable. Paper: ECHash §4.1.
 */
final class ServersInRings implements ServerMap {
  private final CodeShape code;
  private final Rings rings;

  ServersInRings(CodeShape code, Rings rings) {
    this.code = code;
    this.rings = rings;
  }

  @Override
  public long version() {
    return rings.version();
  }

  @Override
  public List<ServerId> servers() {
    return rings.servers();
  }

  @Override
  public boolean contains(ServerId server) {
    return rings.contains(server);
  }

  @Override
  public int ringCount() {
    return rings.count();
  }

  @Override
  public int ring(ServerId server) {
    return rings.ring(server);
  }

  @Override
  public int ring(long keyHash) {
    return rings.ring(keyHash);
  }

  @Override
  public long rings(long keyHash) {
    return 1L << rings.ring(keyHash);
  }

  @Override
  public ServerId server(long keyHash) {
    return rings.server(keyHash);
  }

  /** The rings without data hold parity, in their order. */
  @Override
  public ServerId parityServer(int stripe, long layout, int parity) {
    long without = ~layout;
    for (int i = 0; i < parity; i++) {
      without &= without - 1;
    }
    int ring = Long.numberOfTrailingZeros(without);
    return rings.server(ring, KeyHash.of(OwnKeys.parity(stripe, parity).bytes()));
  }

  /** The ring and the k − 1 after it, so that over time all rings hold as much data. */
  @Override
  public long layout(int ring, IntUnaryOperator freeSlots) {
    long layout = 0;
    for (int i = 0; i < code.k(); i++) {
      layout |= 1L << (ring + i) % rings.count();
    }
    return layout;
  }

  @Override
  public List<MovingArc> movingArcs(ServerMap before) {
    Rings old = ((ServersInRings) before).rings;
    return IntStream.range(0, rings.count())
        .filter(ring -> !rings.servers(ring).equals(old.servers(ring)))
        .mapToObj(ring -> old.arcsTo(rings, ring))
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public Topology topology(int step) {
    return new Topology(rings.version(), rings.serversByRing(), step);
  }

  @Override
  public List<ServerMap> adding(List<ServerId> added, int failed) {
    return waves(RingChange.add(rings, added), failed);
  }

  @Override
  public List<ServerMap> removing(List<ServerId> removed, int failed) {
    return waves(RingChange.remove(rings, removed), failed);
  }

  private List<ServerMap> waves(RingChange whole, int failed) {
    return whole.waves(code.k(), failed).stream()
        .<ServerMap>map(wave -> new ServersInRings(code, wave))
        .toList();
  }
}
