package io.counterpart.engine.lmdb;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import java.util.Map;

/** The engine {@code lmdb}. */
public final class LmdbProvider implements KvStoreProvider {
  private static final long FIRST_MAP_BYTES = 1L << 36;

  private final long firstMapBytes;

  public LmdbProvider() {
    this(FIRST_MAP_BYTES);
  }

  /**
   * @param firstMapBytes size of the map of a new store, address space only; it grows when needed
   */
  LmdbProvider(long firstMapBytes) {
    this.firstMapBytes = firstMapBytes;
  }

  @Override
  public String name() {
    return "lmdb";
  }

  @Override
  public KvEngine engine(Map<String, String> options) {
    return place -> LmdbStore.open(place.directory(), firstMapBytes);
  }
}
